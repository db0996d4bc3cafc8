-- Of the contract, by name, where a server has several. NULL is the first one. An endpoint gets the events
-- of its revision, and a request whose key chose one is handled by it.
ALTER TABLE endpoints ADD COLUMN revision TEXT;
ALTER TABLE events ADD COLUMN revision TEXT;
ALTER TABLE sandboxes ADD COLUMN revision TEXT;
