-- What one process requests of another, with the response. A row lives for seconds. Like `replicas`, this table has no
-- sandbox's number: where sandboxes are spread over several machines, it stays on one.

CREATE TABLE {peer_requests} (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sender text NOT NULL,
  receiver text NOT NULL,
  name text NOT NULL,
  body text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  taken boolean NOT NULL DEFAULT false,
  failed boolean NOT NULL DEFAULT false,
  response text
) WITH (fillfactor = 70);
CREATE INDEX peer_requests_by_receiver ON {peer_requests} (receiver) WHERE NOT taken;
CREATE INDEX peer_requests_by_sender ON {peer_requests} (sender) WHERE response IS NOT NULL;

-- Texts of sandboxes beside their data, such as fault rules.
CREATE TABLE {notes} (
  sandbox bigint NOT NULL,
  -- A JSON string.
  name text NOT NULL,
  version integer NOT NULL DEFAULT 0,
  text text NOT NULL,
  PRIMARY KEY (sandbox, name)
);
