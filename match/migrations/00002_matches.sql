-- +goose Up
-- The set-up of a match stays as well: what changes later is a record of its own.
-- +goose StatementBegin
CREATE TRIGGER matches_stay BEFORE UPDATE ON matches
BEGIN
	SELECT RAISE(ABORT, 'a journal is only ever appended to');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER matches_last BEFORE DELETE ON matches
BEGIN
	SELECT RAISE(ABORT, 'a journal is only ever appended to');
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER matches_last;
DROP TRIGGER matches_stay;
