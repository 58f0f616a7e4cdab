package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"diceref/rules/dicecreams"
	"diceref/table"
)

// ownerFiles are the options of DiceCreams! that name a file of what is printed on
// the owner's cards, with the name by which the rulebook knows the file.
var ownerFiles = map[string]string{"cards": dicecreams.CardsFile, "customers": dicecreams.CustomersFile}

// ownerFile says whether an option names such a file, and by which name it is known.
func ownerFile(game table.Game, option string) (name string, ok bool) {
	if game != table.DiceCreams {
		return "", false
	}
	name, ok = ownerFiles[option]
	return name, ok
}

// mostOwnerFile is how long such a file may be, in bytes; thirty cards are far less.
const mostOwnerFile = 1 << 20

// readOwnerFile reads and checks the file that an option names.
func readOwnerFile(option, path string) (json.RawMessage, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--option %s: cannot read the file: %w", option, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostOwnerFile+1))
	if err != nil {
		return nil, fmt.Errorf("--option %s: cannot read the file: %w", option, err)
	}
	if len(data) > mostOwnerFile {
		return nil, fmt.Errorf("--option %s: %s is longer than %d bytes, so it is not a file of cards", option, path, mostOwnerFile)
	}
	if ownerFiles[option] == dicecreams.CardsFile {
		_, _, err = dicecreams.ReadCards(data)
	} else {
		_, _, err = dicecreams.ReadCustomers(data)
	}
	if err != nil {
		return nil, fmt.Errorf("--option %s=%s: %w", option, path, err)
	}
	return data, nil
}
