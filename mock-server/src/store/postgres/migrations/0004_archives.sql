-- A sandbox that nobody has used for long is archived: its rows are in one row of `snapshots`, without a name, and its
-- key begins with `archived`, so that a process that does not know of archives makes a new sandbox instead of filling
-- the empty one.
ALTER TABLE {sandboxes} ADD COLUMN archived_at bigint;
CREATE INDEX sandboxes_by_archive ON {sandboxes} (archived_at) WHERE archived_at IS NOT NULL;

-- Deliveries of a day that are counted no more by their rows, since a reset or a restore removed those. The day is the
-- time at which it began.
ALTER TABLE {sandboxes} ADD COLUMN spent bigint NOT NULL DEFAULT 0, ADD COLUMN spent_on bigint;
