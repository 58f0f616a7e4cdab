package eye

import (
	"debug/elf"
	"debug/macho"
	"fmt"
	"strings"
)

// versionSection is where an eye's file says which OpenCV and which models it has.
const versionSection = "__diceref_eye"

// Version is what the eye at path has of OpenCV and of models. It is read from the
// file, and nothing is started: an eye that cannot run on this machine says it, too.
func Version(path string) (string, error) {
	var said []byte
	if f, err := elf.Open(path); err == nil {
		defer f.Close()
		if s := f.Section(versionSection); s != nil {
			said, _ = s.Data() // nothing said is an error below
		}
	} else if f, err := macho.Open(path); err == nil {
		defer f.Close()
		if s := f.Section(versionSection); s != nil {
			said, _ = s.Data()
		}
	}
	version, _, _ := strings.Cut(string(said), "\x00")
	if version == "" {
		return "", fmt.Errorf("%s does not say which OpenCV and which models it has", path)
	}
	return version, nil
}
