package supportchat

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"
)

// SQLConnection is where a store runs its statements: a pool, a connection or a transaction. [FromSQL] and
// [FromPgx] make one.
type SQLConnection struct {
	exec     func(ctx context.Context, statement string, args ...any) error
	queryRow func(ctx context.Context, statement string, args ...any) SQLRow
	// isPool means that each statement may have another connection.
	isPool bool
}

// SQLRow is one row of a result, such as *sql.Row or pgx.Row.
type SQLRow interface{ Scan(dest ...any) error }

// FromSQL takes a *sql.DB, *sql.Conn or *sql.Tx, or what embeds one, as sqlx does.
func FromSQL[Result any, Row SQLRow](db interface {
	ExecContext(ctx context.Context, query string, args ...any) (Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) Row
}) SQLConnection {
	_, isPool := any(db).(interface{ Stats() sql.DBStats })
	return SQLConnection{
		isPool: isPool,
		exec: func(ctx context.Context, statement string, args ...any) error {
			_, err := db.ExecContext(ctx, statement, args...)
			return err
		},
		queryRow: func(ctx context.Context, statement string, args ...any) SQLRow {
			return db.QueryRowContext(ctx, statement, args...)
		},
	}
}

// FromPgx takes a *pgxpool.Pool, *pgx.Conn or pgx.Tx.
func FromPgx[Result any, Row SQLRow](db interface {
	Exec(ctx context.Context, sql string, args ...any) (Result, error)
	QueryRow(ctx context.Context, sql string, args ...any) Row
}) SQLConnection {
	_, isPool := any(db).(interface{ Close() }) // a connection takes a context to close, and a transaction has no Close
	return SQLConnection{
		isPool: isPool,
		exec: func(ctx context.Context, statement string, args ...any) error {
			_, err := db.Exec(ctx, statement, args...)
			return err
		},
		queryRow: func(ctx context.Context, statement string, args ...any) SQLRow {
			return db.QueryRow(ctx, statement, args...)
		},
	}
}

// PostgresDedupeStore is a [DedupeStore] in a table of PostgreSQL 13 or newer, for all processes that share it.
// Rows expire by the clock of PostgreSQL, and Begin deletes them, a few at a time. It is safe for concurrent use.
type PostgresDedupeStore struct{ tableStore }

// NewPostgresDedupeStore returns a store that uses your pool, and never closes it:
//
//	store := supportchat.NewPostgresDedupeStore(supportchat.FromPgx(pool))
//
// It panics if a duration is not positive, and for a name that no table can have.
func NewPostgresDedupeStore(db SQLConnection, opts ...DedupeOption) *PostgresDedupeStore {
	return &PostgresDedupeStore{newTableStore(db, opts, tableStatements{
		table: postgresTable, schema: postgresSchema,
		begin: postgresBegin, done: postgresDone, release: postgresRelease,
		// Always one row, so that a driver needs no error for none.
		once: "WITH handled AS (" + postgresOnce + ") SELECT count(*) FROM handled",
	})}
}

// SQLiteDedupeStore is a [DedupeStore] in a table of SQLite 3.35 or newer, for all processes of one machine.
// Begin deletes expired rows, a few at a time. It is safe for concurrent use.
//
// Let a process wait while another one writes, as with PRAGMA busy_timeout = 5000.
type SQLiteDedupeStore struct{ tableStore }

// NewSQLiteDedupeStore returns a store that uses your database, and never closes it:
//
//	store := supportchat.NewSQLiteDedupeStore(supportchat.FromSQL(db))
//
// It panics if a duration is not positive, and for a name that no table can have.
func NewSQLiteDedupeStore(db SQLConnection, opts ...DedupeOption) *SQLiteDedupeStore {
	return &SQLiteDedupeStore{newTableStore(db, opts, tableStatements{
		table: sqliteTable, schema: sqliteSchema, prune: sqlitePrune,
		begin: sqliteBegin, done: sqliteDone, release: sqliteRelease, once: sqliteOnce,
	})}
}

// tableStatements are the statements of a database for any table.
type tableStatements struct{ table, schema, prune, begin, done, release, once string }

// A tableStore is a store in a table.
type tableStore struct {
	dedupeSettings
	db         SQLConnection
	statements tableStatements
}

func newTableStore(db SQLConnection, opts []DedupeOption, all tableStatements) tableStore {
	settings := newDedupeSettings(opts)
	write := forTable(cmp.Or(settings.table, all.table))
	return tableStore{settings, db, tableStatements{
		schema: write(all.schema), prune: write(all.prune), begin: write(all.begin),
		done: write(all.done), release: write(all.release), once: write(all.once),
	}}
}

// Schema returns the statements that create the table and its index where they are missing, for a migration.
func (s *tableStore) Schema() string { return s.statements.schema }

// Setup creates the table where it is missing. Processes may call it at the same time.
func (s *tableStore) Setup(ctx context.Context) error {
	for statement := range strings.SplitSeq(s.statements.schema, ";") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if s.db.exec(ctx, statement) == nil {
			continue
		}
		// IF NOT EXISTS does not see what another transaction is about to create.
		if err := s.db.exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// Begin requests the lease of an event. See [DedupeStore].
func (s *tableStore) Begin(ctx context.Context, id string) (Lease, error) {
	if s.statements.prune != "" {
		if err := s.db.exec(ctx, s.statements.prune); err != nil {
			return Lease{}, err
		}
	}
	var state, holder string
	token := newToken()
	row := s.db.queryRow(ctx, s.statements.begin, id, token, s.holder, s.lease.Seconds())
	if err := row.Scan(&state, &holder); err != nil {
		return Lease{}, err
	}
	return leaseOf(state, holder, token)
}

// Done records a handled event. See [DedupeStore].
func (s *tableStore) Done(ctx context.Context, id, token string) error {
	return s.db.exec(ctx, s.statements.done, id, token, s.keep.Seconds())
}

// Release ends a lease. See [DedupeStore].
func (s *tableStore) Release(ctx context.Context, id, token string) error {
	return s.db.exec(ctx, s.statements.release, id, token)
}

// Once records an event as handled in a transaction of yours, which also holds your work. Both are committed,
// or neither. A concurrent call for the same event waits for the end of the transaction. It returns true if
// the event is new to you; if not, do nothing:
//
//	tx, err := pool.Begin(ctx)
//	…
//	isNew, err := store.Once(ctx, event.EventID(), supportchat.FromPgx(tx))
//
// It is for a handler whose receiver has no store. It fails for a pool, on which the event would be recorded even
// if your work fails.
func (s *tableStore) Once(ctx context.Context, id string, tx SQLConnection) (isNew bool, err error) {
	if tx.isPool {
		return false, errors.New(packageName + ": pass Once the transaction of your work, not the pool")
	}
	var count any
	switch err := tx.queryRow(ctx, s.statements.once, id, s.keep.Seconds()).Scan(&count); {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, err
	}
	return count != int64(0), nil
}
