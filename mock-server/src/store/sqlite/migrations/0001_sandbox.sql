-- Keys are kept as their hashes. Here and below AUTOINCREMENT gives no number out again: an attempt may
-- outlive what it was made for, and a receiver remembers the ids of events.
CREATE TABLE sandboxes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  used_at INTEGER NOT NULL,
  clock_offset INTEGER NOT NULL DEFAULT 0,
  generation INTEGER NOT NULL DEFAULT 0,
  numbers INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE conversations (
  sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
  id TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  position INTEGER NOT NULL,
  visitor TEXT,
  intent TEXT,
  handoff_reason TEXT,
  handoff_at INTEGER,
  rating INTEGER,
  json TEXT NOT NULL,
  PRIMARY KEY (sandbox, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX conversations_by_position ON conversations (sandbox, position);
CREATE INDEX conversations_by_status ON conversations (sandbox, status, position);

-- Kept up to date with the conversations, since counting them grows with their number.
CREATE TABLE counts (
  sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
  what TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (sandbox, what)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
  sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
  conversation TEXT NOT NULL,
  number INTEGER NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (sandbox, conversation, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE sources (
  sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
  id TEXT NOT NULL,
  json TEXT NOT NULL,
  due INTEGER,
  PRIMARY KEY (sandbox, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sources_by_due ON sources (due) WHERE due IS NOT NULL;

CREATE TABLE remembered (
  sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
  scope TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (sandbox, scope)
) STRICT, WITHOUT ROWID;
CREATE INDEX remembered_by_time ON remembered (at);

CREATE TABLE events (
  number INTEGER PRIMARY KEY,
  sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  occurred_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX events_by_sandbox ON events (sandbox, number);
CREATE INDEX events_by_time ON events (recorded_at);

CREATE TABLE endpoints (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  kinds TEXT,
  secret TEXT NOT NULL,
  UNIQUE (sandbox, id)
) STRICT;

-- Due by the clock of the sandbox, so that nothing is written here when that clock is moved. The
-- endpoint is no reference, whose check would need a whole index: both end with the sandbox's events.
CREATE TABLE deliveries (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
  event INTEGER NOT NULL REFERENCES events ON DELETE CASCADE,
  endpoint INTEGER NOT NULL,
  state TEXT NOT NULL,
  due INTEGER,
  attempted INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX deliveries_by_due ON deliveries (endpoint, due) WHERE state = 'pending';
CREATE INDEX deliveries_by_state ON deliveries (sandbox, state, number);
CREATE INDEX deliveries_by_event ON deliveries (event);

CREATE TABLE attempts (
  delivery INTEGER NOT NULL REFERENCES deliveries ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  reason TEXT,
  headers TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (delivery, number)
) STRICT, WITHOUT ROWID;
