package match

import (
	"bufio"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"diceref/table"
)

// eventfulEnv makes the test binary a program that plays an eventful game until it is killed.
const eventfulEnv = "MATCH_CRASH_EVENTFUL"

// sitting is how far a game came that is played by several programs, one after the other.
type sitting struct {
	game table.Game
	seed uint64
	next int    // of the turns: the first that was not acknowledged
	seq  int64  // the last record then,
	hash string // and what the match knew
}

// playEventful goes on with a game where the program before it was killed, and tells after
// every turn how far it came. spec is a sitting in words, and the journal.
func playEventful(spec string) error {
	var s sitting
	var path string
	if _, err := fmt.Sscan(spec, &s.game, &s.seed, &s.next, &s.seq, &path); err != nil {
		return err
	}
	j, err := OpenJournal(path)
	if err != nil {
		return err
	}
	c, turns := eventful(new(testing.T), s.game, s.seed)
	c.Journal, c.ID = j, fmt.Sprint(s.seed)
	m, err := Resume(j, c.ID, nil)
	if errors.Is(err, ErrNoMatch) {
		m, err = New(c)
	}
	if err != nil {
		return err
	}
	done := m.seq > s.seq && s.next > 0 // the turn that was under way
	for i := s.next - 1; i >= 0; i-- {  // the table as it lies
		if turns[i].see != nil {
			m.See(*turns[i].see)
			break
		}
	}
	for i := s.next; i < len(turns); i++ {
		if i == s.next && done && turns[i].say != nil {
			continue
		}
		if err := turns[i].take(m); err != nil {
			return err
		}
		fmt.Println(i+1, m.seq, hashOf(m))
	}
	fmt.Println("over")
	return nil
}

func hashOf(m *Match) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(essence(m))) // never fails
	return fmt.Sprintf("%016x", h.Sum64())
}

// TestCrashEveryGame kills a program that plays an eventful game at random instants, also
// between what a player says and the next picture. What was acknowledged is known
// afterwards, as far as a player can tell: acts that wait, answers, pauses, names, seats,
// readings corrected. The long form is that of TestCrash.
func TestCrashEveryGame(t *testing.T) {
	for g, game := range table.Games {
		t.Run(string(game), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal.db")
			rng := rand.New(rand.NewPCG(uint64(g), 12))
			s := sitting{game: game, seed: 1}
			for i := range max(2, *kills/len(table.Games)) {
				over, complaints := s.play(t, rng, path)
				if complaints != "" {
					t.Fatalf("seed %d, kill %d: %s", s.seed, i, complaints)
				}
				if s.next > 0 {
					s.check(t, path, i)
				}
				if over {
					s = sitting{game: game, seed: s.seed + 1}
				}
			}
		})
	}
}

// play lets a program play on for a while and kills it.
func (s *sitting) play(t *testing.T, rng *rand.Rand, path string) (over bool, complaints string) {
	t.Helper()
	cmd, out, kill := startSelf(t, fmt.Sprintf("%s=%s %d %d %d %s", eventfulEnv, s.game, s.seed, s.next, s.seq, path))
	defer kill()
	lines, pause := 1+rng.IntN(30), time.Duration(rng.IntN(4000))*time.Microsecond
	in := bufio.NewScanner(out)
	for n := 0; in.Scan(); n++ {
		if over = in.Text() == "over"; over {
			break
		}
		if _, err := fmt.Sscan(in.Text(), &s.next, &s.seq, &s.hash); err != nil {
			t.Fatalf("%q: %v", in.Text(), err)
		}
		if n == lines {
			time.Sleep(pause) // somewhere within the next turns
			kill()
		}
	}
	_ = cmd.Wait()
	return over, cmd.Stderr.(*strings.Builder).String()
}

// check holds what the journal says up to the last acknowledged record against what the
// match knew then.
func (s *sitting) check(t *testing.T, path string, kill int) {
	t.Helper()
	j, err := OpenJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	id := fmt.Sprint(s.seed)
	setting, err := j.Setting(id)
	if err != nil {
		t.Fatal(err)
	}
	records, err := j.Records(id)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(records)) < s.seq {
		t.Fatalf("seed %d, kill %d: %d records, and %d were acknowledged", s.seed, kill, len(records), s.seq)
	}
	m, err := prepare(setting.config())
	if err != nil {
		t.Fatal(err)
	}
	m.setting = setting
	if err := m.replay(records[:s.seq]); err != nil {
		t.Fatal(err)
	}
	if got := hashOf(m); got != s.hash {
		t.Fatalf("seed %d, kill %d: after turn %d the journal knows another match:\n%s", s.seed, kill, s.next, essence(m))
	}
}
