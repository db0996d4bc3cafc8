-- The place of an event in a trace, as in the header `traceparent`. NULL where nothing is traced.
ALTER TABLE events ADD COLUMN trace TEXT;
