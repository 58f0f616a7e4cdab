-- +goose Up
-- The zones that the table's camera sees, as JSON, for a game without a board: they are the camera's, whatever match is played.
ALTER TABLE hall_tables ADD zones TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE hall_tables DROP zones;
