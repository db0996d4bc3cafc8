-- Endpoints that are gone while their deliveries are still being removed. Deliveries without an endpoint
-- are neither shown nor attempted.
CREATE TABLE removed_endpoints (
  sandbox INTEGER NOT NULL REFERENCES sandboxes ON DELETE CASCADE,
  number INTEGER NOT NULL,
  PRIMARY KEY (sandbox, number)
) STRICT, WITHOUT ROWID;
