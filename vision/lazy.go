package vision

import (
	"diceref/vision/net"
)

// lazy is what a network is used through. It is loaded when it is asked for the first time: not every table needs its memory.
type lazy[T interface {
	comparable
	Close()
}] struct {
	load   func() (T, error)
	loaded T // its zero value before that
}

func (l *lazy[T]) get() (T, error) {
	var none T
	if l.loaded != none {
		return l.loaded, nil
	}
	made, err := l.load()
	if err != nil {
		return none, err
	}
	l.loaded = made
	net.GiveBack() // what reading the model took
	return made, nil
}

func (l *lazy[T]) close() {
	var none T
	if l.loaded != none {
		l.loaded.Close()
	}
}

// lazily is the model that was given, or where none was, the embedded one of that name, once it is asked for.
func lazily[T interface {
	comparable
	Close()
}](given []byte, name string, with func(*net.Net) T) lazy[T] {
	return lazy[T]{load: func() (T, error) {
		loaded, err := loadModel(given, name)
		if err != nil {
			var none T
			return none, err
		}
		return with(loaded), nil
	}}
}
