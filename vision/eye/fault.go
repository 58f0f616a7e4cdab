package eye

import (
	"errors"
	"fmt"
)

// Kind is what is wrong with a source, for a page that says it in its own language.
type Kind string

// The kinds of faults that people can do something about. Any other has no kind, only its reason.
const (
	NoDevice   Kind = "no-device"  // no camera is plugged in there
	Forbidden  Kind = "forbidden"  // this user may not open it
	Busy       Kind = "busy"       // another program has it
	NoPictures Kind = "no-picture" // it is there and sends nothing
	HungUp     Kind = "hung-up"    // it was there, and closed the connection
	NoFile     Kind = "no-file"    // there is no such file or folder
	NoVideo    Kind = "no-video"   // the file is not a video that can be played
	NoAlbum    Kind = "no-album"   // the folder has no pictures in it
	Damaged    Kind = "damaged"    // its pictures cannot be decoded
	BadAddress Kind = "address"    // it is not the address of a camera
	NoAnswer   Kind = "no-answer"  // nothing answers at the address
	Password   Kind = "password"   // it wants another user or password
	WebPage    Kind = "web-page"   // it answers with a page, not with pictures
	Elsewhere  Kind = "elsewhere"  // it sends to another address
	Crashed    Kind = "crashed"    // the eye itself stopped
	OtherEye   Kind = "other-eye"  // the eye is of another version than the program
)

// ErrHungUp says that a camera was there and no longer is. Only a recording has an end.
var ErrHungUp = Faultf(HungUp, "the camera closed the connection")

// Fault is an error of a source that has a kind.
type Fault struct {
	Kind Kind
	Err  error
}

func (f *Fault) Error() string { return f.Err.Error() }
func (f *Fault) Unwrap() error { return f.Err }

// Faultf is fmt.Errorf with a kind.
func Faultf(kind Kind, format string, args ...any) error {
	return &Fault{kind, fmt.Errorf(format, args...)}
}

// KindOf is the kind of an error's fault; "" where it has none.
func KindOf(err error) Kind {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault.Kind
	}
	return ""
}

// Err is why a source failed, with its kind.
func (s Status) Err() error { return &Fault{s.Kind, errors.New(s.Reason)} }
