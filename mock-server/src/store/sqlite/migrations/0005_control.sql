-- A disabled endpoint gets no events, and its pending deliveries wait. So do all of a sandbox that is paused,
-- but for hurried ones, each of which is attempted once. A cancelled delivery is dead.
ALTER TABLE endpoints ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sandboxes ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN hurried INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0;

-- The rows of a sandbox at one moment, as JSON.
CREATE TABLE snapshots (
  sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
  name TEXT NOT NULL,
  taken_at INTEGER NOT NULL,
  rows TEXT NOT NULL,
  PRIMARY KEY (sandbox, name)
) STRICT;
