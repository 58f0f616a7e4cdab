package main

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"diceref/table"
	"diceref/vision/eye"
)

// Watch plays what an eye told once: a file of observations, one JSON object a line. One that is called .held has no end.
func (fakeReader) Watch(w eye.Watch) {
	go func() {
		voice := eye.NewVoice(os.Stdout)
		state := eye.Status{State: eye.Ended}
		if err := playSeen(voice, w); err != nil {
			state = eye.Status{State: eye.Failed, Reason: err.Error()}
		}
		voice.Say(state)
	}()
}

func playSeen(voice *eye.Voice, w eye.Watch) error {
	f, err := os.Open(w.Source)
	if err != nil {
		return fmt.Errorf("cannot open %s", w.Source)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(w.Source, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return err
		}
	}
	voice.Say(eye.Status{State: eye.Running})
	for dec := json.NewDecoder(in); dec.More(); {
		var o table.Observation
		if err := dec.Decode(&o); err != nil {
			return err
		}
		if o.Frame >= w.Resume {
			voice.Observe(o)
		}
	}
	if strings.HasSuffix(w.Source, ".held") {
		select {}
	}
	return nil
}
