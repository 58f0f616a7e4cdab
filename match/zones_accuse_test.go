package match

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"diceref/table"
)

// accused lists the breaches that are told of views, and that nobody has committed, beyond those that are told where all is seen.
func (l *laidOut) accused(t *testing.T, views []table.Observation) (list []string) {
	usual := l.seeing(t, l.views).Events()
	for _, e := range l.seeing(t, views).Events() {
		if slices.ContainsFunc(usual, func(o EventView) bool { return o.Text == e.Text }) {
			continue
		}
		if e.Code != "" && e.Move != nil && !slices.Contains(l.told(), lineOf(e.Type, fmt.Sprint(e.Move), e.Code)) {
			list = append(list, e.Text)
		}
	}
	return list
}

// TestDoubtAccusesNobody: where a die that has melted is doubtfully read as one that has melted too far, or not at all, nobody is told to have
// broken the rules, in that view or the next ones.
func TestDoubtAccusesNobody(t *testing.T) {
	const (
		half = .5
		on   = 2 // pictures
	)
	dice := 0
	for _, seed := range []uint64{9101, 20001} {
		l := layOut(t, table.DiceCreams, seed)
		for i := 1; i < len(l.views); i++ { // one die of each
			if l.Truth.Steps[i].Note != "Melted." {
				continue
			}
			for k, r := range l.views[i].Dice {
				if r.Face == 0 || !l.inPlace(r.At, l.views[i]) {
					continue
				}
				dice++
				views := slices.Clone(l.views)
				views[i].Dice = slices.Clone(views[i].Dice)
				other := r.Face - 1
				if other < 1 {
					other = r.Face + 1
				}
				doubtfully(&views[i].Dice[k], other, half)
				if told := l.accused(t, views[:min(i+1+on, len(views))]); told != nil {
					t.Errorf("seed %d, picture %d: %v read as %d is told as %q", seed, i, r.Die, other, told)
				}
				break
			}
		}
	}
	if dice == 0 {
		t.Error("no die melts")
	}
}

// TestHiddenAside: which of the dice set aside do not show, and how many, is told as nobody's act: some lie over others.
func TestHiddenAside(t *testing.T) {
	const most = 1 // in one picture
	hidden := 0
	for _, seed := range []uint64{9101, 9103, 9109, 20001, 41002, 55001, 55002} {
		l := layOut(t, table.DiceCreams, seed)
		views := slices.Clone(l.views)
		for i := range views {
			n := 0
			views[i].Dice = slices.DeleteFunc(slices.Clone(views[i].Dice), func(r table.Reading) bool {
				if n >= most || i%2 == 0 || !l.inZone(asideKey, r.At, views[i]) {
					return false
				}
				n++
				return true
			})
			hidden += n
		}
		if told := l.accused(t, views); told != nil {
			t.Errorf("seed %d: told is %q", seed, told)
		}
	}
	if hidden == 0 {
		t.Error("no dice are set aside")
	}
}

// TestAnswerTakenBack: what is taken back after an answer that has put right what was told, with what the rules demand after it, is that, and
// not the act before it.
func TestAnswerTakenBack(t *testing.T) {
	const answer = "A take black5 liquorice-3.2, then A gain 1"
	l := layOut(t, table.DiceCreams, 41002)
	m, answered := l.seeing(t, nil), false
	for _, v := range l.views {
		m.See(v)
		if slices.Contains(words(m.offers), answer) {
			declare(t, m, Declaration{Say: SayAnswer, Choice: answer})
			answered = true
		}
	}
	m.Finish()
	if !answered {
		t.Fatal("it is not asked")
	}
	log := m.Events()
	if last := log[len(log)-1]; last.Type != TypeEnd || !cmp.Equal(last.Scores, l.Truth.Scores) {
		t.Errorf("in the end %s, scores %s", last.Type, cmp.Diff(l.Truth.Scores, last.Scores))
	}
}
