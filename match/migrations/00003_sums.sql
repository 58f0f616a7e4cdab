-- +goose Up
-- A sum over what a match's set-up, and each of its records, says: a letter that has changed on the disk
-- is noticed. What was written before has none.
ALTER TABLE matches ADD COLUMN sum INTEGER;
ALTER TABLE records ADD COLUMN sum INTEGER;

-- +goose Down
ALTER TABLE records DROP COLUMN sum;
ALTER TABLE matches DROP COLUMN sum;
