-- Those who share the server. A tenant's sandbox has the tenant's id as its key. These tables are small and have no
-- sandbox's number: where sandboxes are spread over several machines, they stay on one.

CREATE TABLE {tenants} (
  id text PRIMARY KEY,
  name text NOT NULL,
  created_at bigint NOT NULL,
  -- When it ends unless somebody claims it.
  expires_at bigint,
  revoked_at bigint,
  limits json NOT NULL,
  -- The digest of the secret that claims it.
  claim text UNIQUE
);
CREATE INDEX tenants_by_time ON {tenants} (created_at, id);
CREATE INDEX tenants_by_end ON {tenants} (expires_at) WHERE expires_at IS NOT NULL;

-- Keys as their digests.
CREATE TABLE {tenant_keys} (
  digest text PRIMARY KEY,
  tenant text NOT NULL,
  hint text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint
);
CREATE INDEX tenant_keys_by_tenant ON {tenant_keys} (tenant, created_at);

CREATE TABLE {audit} (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  tenant text NOT NULL,
  detail json NOT NULL
);
CREATE INDEX audit_by_time ON {audit} (at, number);
