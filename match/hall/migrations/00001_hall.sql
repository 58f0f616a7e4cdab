-- +goose Up
CREATE TABLE hall_tables (
	n      INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- its lock is held by the process that has it
	id     TEXT NOT NULL UNIQUE, -- as it stands in addresses
	name   TEXT NOT NULL,
	code   TEXT NOT NULL,        -- of its players
	token  TEXT NOT NULL,        -- of its camera
	setup  TEXT NOT NULL,        -- of the present match, as JSON
	match  TEXT NOT NULL DEFAULT '', -- the present match
	begun  TEXT NOT NULL DEFAULT '', -- the request that began it
	help   TIMESTAMPTZ           -- since when its players ask for a referee
);
CREATE TABLE hall_referees (
	name TEXT PRIMARY KEY,
	code BYTEA NOT NULL UNIQUE   -- its SHA-256
);
-- What is said at one process about a table that another one has.
CREATE TABLE hall_requests (
	no     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	n      INTEGER NOT NULL REFERENCES hall_tables (n) ON DELETE CASCADE,
	key    TEXT NOT NULL,
	kind   TEXT NOT NULL,
	body   TEXT NOT NULL,
	asked  TIMESTAMPTZ NOT NULL DEFAULT now(),
	taken  BOOLEAN NOT NULL DEFAULT false,
	answer TEXT,
	UNIQUE (n, key)
);
CREATE INDEX hall_requests_open ON hall_requests (n, no) WHERE answer IS NULL;
-- What a match's process tells of it beside the journal. It is told again after a restart, so it need not be logged.
CREATE UNLOGGED TABLE hall_live (
	n     INTEGER PRIMARY KEY,
	owner TEXT NOT NULL,
	live  TEXT NOT NULL, -- a snapshot without events and state, as JSON
	seen  TEXT           -- what its camera sees, as JSON; missing: it has none
);

-- +goose Down
DROP TABLE hall_live, hall_requests, hall_referees, hall_tables;
