//go:build !linux

package main

import "errors"

// listCameras knows only Linux; elsewhere cameras are named by number.
func listCameras() []string { return nil }

func lookAtCamera(string) (camera, error) {
	return camera{}, errors.New("cannot check cameras on this system; try diceref serve --source 0")
}

func freeSpace(string) (uint64, error) { return 0, errors.New("not known on this system") }
