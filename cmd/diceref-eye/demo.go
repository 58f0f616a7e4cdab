package main

import "embed"

// demos are recorded games, one a file, named after the game. There is nothing with
// them but the pictures, which are read as those of any camera.
//
//go:embed demo/*.mp4
var demos embed.FS
