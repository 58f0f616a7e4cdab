-- +goose Up
CREATE TABLE matches (
	id      TEXT PRIMARY KEY,
	created TEXT NOT NULL,
	setup   TEXT NOT NULL,
	program TEXT NOT NULL,
	model   TEXT NOT NULL
);
CREATE TABLE records (
	match  TEXT NOT NULL REFERENCES matches (id),
	seq    INTEGER NOT NULL,
	record TEXT NOT NULL,
	PRIMARY KEY (match, seq)
) WITHOUT ROWID;
-- Nothing is ever erased or rewritten, not even by mistake.
-- +goose StatementBegin
CREATE TRIGGER records_stay BEFORE UPDATE ON records
BEGIN
	SELECT RAISE(ABORT, 'a journal is only ever appended to');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER records_last BEFORE DELETE ON records
BEGIN
	SELECT RAISE(ABORT, 'a journal is only ever appended to');
END;
-- +goose StatementEnd

-- +goose Down
DROP TABLE records;
DROP TABLE matches;
