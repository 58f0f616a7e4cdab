-- The present form of a journal. Each record's seal covers its text and the seal of the one before it, the
-- first one's that of its match; heads says how far every match has come, and totals how much there is in
-- all, so that nothing can go missing unseen.
CREATE TABLE matches (
	n        INTEGER PRIMARY KEY, -- the order in which they came
	id       TEXT NOT NULL UNIQUE,
	setup    TEXT NOT NULL,
	imported INTEGER NOT NULL,    -- 1: played somewhere else
	seal     BLOB NOT NULL
);
CREATE TABLE records (
	match  TEXT NOT NULL REFERENCES matches (id),
	seq    INTEGER NOT NULL,
	record TEXT NOT NULL,
	seal   BLOB NOT NULL,
	PRIMARY KEY (match, seq)
) WITHOUT ROWID;
CREATE TABLE heads (
	match   TEXT PRIMARY KEY NOT NULL REFERENCES matches (id),
	records INTEGER NOT NULL,
	seal    BLOB NOT NULL         -- of the last record
) WITHOUT ROWID;
CREATE TABLE totals (
	one     INTEGER PRIMARY KEY CHECK (one = 1),
	matches INTEGER NOT NULL,
	records INTEGER NOT NULL
);
INSERT INTO totals VALUES (1, 0, 0);
CREATE TABLE purged (
	match TEXT PRIMARY KEY NOT NULL,
	at    TEXT NOT NULL
) WITHOUT ROWID;
-- Nothing is ever erased or rewritten, not even by mistake, but a match that somebody wants gone for good.
CREATE TRIGGER matches_stay BEFORE UPDATE ON matches
BEGIN
	SELECT RAISE(ABORT, 'a journal is only ever appended to');
END;
CREATE TRIGGER matches_last BEFORE DELETE ON matches WHEN OLD.id NOT IN (SELECT match FROM purged)
BEGIN
	SELECT RAISE(ABORT, 'a journal is only ever appended to');
END;
CREATE TRIGGER records_stay BEFORE UPDATE ON records
BEGIN
	SELECT RAISE(ABORT, 'a journal is only ever appended to');
END;
CREATE TRIGGER records_last BEFORE DELETE ON records WHEN OLD.match NOT IN (SELECT match FROM purged)
BEGIN
	SELECT RAISE(ABORT, 'a journal is only ever appended to');
END;
CREATE TRIGGER heads_grow BEFORE UPDATE ON heads WHEN NEW.match <> OLD.match OR NEW.records <= OLD.records
BEGIN
	SELECT RAISE(ABORT, 'a journal is only ever appended to');
END;
CREATE TRIGGER heads_last BEFORE DELETE ON heads WHEN OLD.match NOT IN (SELECT match FROM purged)
BEGIN
	SELECT RAISE(ABORT, 'a journal is only ever appended to');
END;
