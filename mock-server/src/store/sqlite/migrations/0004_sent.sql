-- What an attempt sent, and how long it took. NULL for attempts of earlier versions.
ALTER TABLE attempts ADD COLUMN sent TEXT;
ALTER TABLE attempts ADD COLUMN ms REAL;
