package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/match/internal/readings"
	"diceref/table"
)

// TestShakyScore: a score that hangs on a die that was told under doubt is asked about, and the answer puts
// right both what the die was and what it counted. It is not where the die was read since.
func TestShakyScore(t *testing.T) {
	// turn scores three blue dice, the first of which is read as a 4 that may be a 6.
	turn := func(t *testing.T, readSince bool) *arenaViews {
		a := atArena(t)
		faceInDoubt := func(hole string, list []table.Reading) []table.Reading {
			for i := range list {
				if *list[i].Square == squareOf(t, hole) {
					readings.Doubt(&list[i], 6, .4)
					list[i].Face, list[i].Confidence = 4, .6
				}
			}
			return list
		}
		lying := func(dice string, unsure bool) {
			a.see(func(int) (list []table.Reading) {
				for at, d := range arena(dice) {
					sq := squareOf(t, at)
					list = append(list, readings.Sure(d, &sq, onBoard(sq)))
				}
				if unsure {
					list = faceInDoubt("a1", list)
				}
				return list
			})
		}
		lying("a1 B4", true)
		lying("a1 B4 a2 B2", !readSince)
		a.say(t, SayNext)
		lying("a1 B4 a2 B2 a3 B5", !readSince)
		a.say(t, SayMiss)
		lying("", false)
		a.say(t, SayNext)
		a.hands(1)
		return a
	}
	inForce := func(a *arenaViews) (list []string) {
		for _, e := range a.m.Events()[1:] {
			if e.Type != TypeCorrect && !e.Undone {
				list = append(list, told(e.Event))
			}
		}
		return list
	}
	a := turn(t, false)
	want := []string{
		"flick A a1 blue 4", "flick A a2 blue 2", "score A round 1: 0 []", "flick B a3 blue 5", "miss B",
		"score B round 1: 11 [a1 a2 a3]", "doubt The score depends on the die on a1. Which die was it? blue 4 on a1 | blue 6 on a1 | something else",
	}
	if diff := cmp.Diff(want, inForce(a)); diff != "" {
		t.Errorf("told otherwise (-want +got):\n%s", diff)
	}
	declare(t, a.m, Declaration{Say: SayAnswer, Choice: "blue 6 on a1"})
	want[0], want[5] = "flick A a1 blue 6", "score B round 1: 13 [a1 a2 a3]"
	if diff := cmp.Diff(want, inForce(a)); diff != "" {
		t.Errorf("answered, it is told otherwise (-want +got):\n%s", diff)
	}

	a = turn(t, true)
	want = []string{"flick A a1 blue 4", "flick A a2 blue 2", "score A round 1: 0 []", "flick B a3 blue 5", "miss B", "score B round 1: 11 [a1 a2 a3]"}
	if diff := cmp.Diff(want, inForce(a)); diff != "" {
		t.Errorf("read since, it is told otherwise (-want +got):\n%s", diff)
	}
}
