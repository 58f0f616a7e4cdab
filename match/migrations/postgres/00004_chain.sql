-- +goose Up
-- The tables of chain.sql, without totals: one row for all would make every table of a hall wait for every other.
CREATE TABLE matches (
	n        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- the order in which they came
	id       TEXT NOT NULL UNIQUE,
	setup    TEXT NOT NULL,
	imported BOOLEAN NOT NULL, -- played somewhere else
	seal     BYTEA NOT NULL
);
CREATE TABLE records (
	match  TEXT NOT NULL REFERENCES matches (id),
	seq    BIGINT NOT NULL,
	record TEXT NOT NULL,
	seal   BYTEA NOT NULL,
	PRIMARY KEY (match, seq)
);
CREATE TABLE heads (
	match   TEXT PRIMARY KEY REFERENCES matches (id),
	records BIGINT NOT NULL,
	seal    BYTEA NOT NULL -- of the last record
);
CREATE TABLE purged (
	match TEXT PRIMARY KEY,
	at    TEXT NOT NULL
);
-- Nothing is ever erased or rewritten, not even by mistake, but a match that somebody wants gone for good.
-- +goose StatementBegin
CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM purged WHERE match = to_jsonb(OLD) ->> TG_ARGV[0]) THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION 'a journal is only ever appended to';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER matches_stay BEFORE UPDATE OR DELETE ON matches FOR EACH ROW EXECUTE FUNCTION append_only('id');
CREATE TRIGGER records_stay BEFORE UPDATE OR DELETE ON records FOR EACH ROW EXECUTE FUNCTION append_only('match');
CREATE TRIGGER heads_last BEFORE DELETE ON heads FOR EACH ROW EXECUTE FUNCTION append_only('match');
CREATE TRIGGER heads_grow BEFORE UPDATE ON heads FOR EACH ROW
	WHEN (NEW.match <> OLD.match OR NEW.records <= OLD.records) EXECUTE FUNCTION append_only('match');
CREATE TRIGGER matches_whole BEFORE TRUNCATE ON matches EXECUTE FUNCTION append_only('id');
CREATE TRIGGER records_whole BEFORE TRUNCATE ON records EXECUTE FUNCTION append_only('match');
CREATE TRIGGER heads_whole BEFORE TRUNCATE ON heads EXECUTE FUNCTION append_only('match');

-- +goose Down
DROP TABLE purged, heads, records, matches;
DROP FUNCTION append_only;
