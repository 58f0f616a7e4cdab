package owned

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"diceref/table"
)

// Shelf is a folder of sets, and those of them that somebody is showing. Several may use it at once.
type Shelf struct {
	Folder string // made when something is saved
	// Look reads a picture and tells how the tops in it look; nil: nothing can be shown.
	Look func(ctx context.Context, game table.Game, picture []byte) (table.Observation, error)
	// Sign has the pictures of a set signed by the network in force.
	Sign func(context.Context, *Set) (*Set, error)

	mu   sync.Mutex
	open map[string]*showing
	uses int // of open ones
}

// showing is a set that is being shown.
type showing struct {
	sheet   *Sheet
	session string          // letters of groups mean nothing in another one
	used    int             // when, in uses of the shelf
	tops    int             // of the last throw
	fresh   map[string]bool // groups that it made
}

// mostOpen is how many sets are kept open; each is saved at every change, so that nothing is lost with one that is closed.
const mostOpen = 4

// Fault is what somebody can put right, with a code for a page that has words of its own.
type Fault struct {
	Code, Text string
}

func (f *Fault) Error() string { return f.Text }

func fault(code, text string, args ...any) *Fault { return &Fault{code, fmt.Sprintf(text, args...)} }

// What can be wrong with a request.
const (
	FaultName   = "dice-name"   // a set cannot be called that
	FaultGone   = "dice-gone"   // there is no such set
	FaultThere  = "dice-there"  // there is one already
	FaultGame   = "dice-game"   // it is for another game
	FaultStale  = "dice-stale"  // somebody else has changed it
	FaultFace   = "dice-face"   // no face shows that
	FaultGroups = "dice-groups" // groups cannot be so
	FaultFile   = "dice-file"   // it is no set
	FaultNone   = "dice-none"   // no dice are seen
	FaultMany   = "dice-many"   // too many kinds of faces
)

// mostName is how long a set's name may be, in bytes.
const mostName = 60

// CheckName refuses what is no name for a set, and so for a file.
func CheckName(set string) error {
	bad := strings.ContainsAny(set, `/\:*?"<>|`) || strings.ContainsFunc(set, func(r rune) bool { return r < ' ' || r == 0x7f })
	if bad || set == "" || len(set) > mostName || set[0] == '.' || strings.TrimSpace(set) != set || strings.HasSuffix(set, ".json") {
		return fault(FaultName, "%.60q is no name for a set of dice", set)
	}
	return nil
}

// Path is the file of a set.
func (s *Shelf) Path(set string) (string, error) {
	if err := CheckName(set); err != nil {
		return "", err
	}
	return filepath.Join(s.Folder, set+".json"), nil
}

// Load is a set as it was saved.
func (s *Shelf) Load(set string) (*Set, error) {
	path, err := s.Path(set)
	if err != nil {
		return nil, err
	}
	loaded, err := Load(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fault(FaultGone, "there is no set of dice %q", set)
	case err != nil:
		return nil, fault(FaultFile, "%s", strings.TrimPrefix(err.Error(), path+": "))
	}
	return loaded, nil
}

// Kept is a set on the shelf, in short.
type Kept struct {
	Name     string     `json:"name"`
	Game     table.Game `json:"game"` // empty: the file is damaged
	Pictures int        `json:"pictures"`
	Unnamed  int        `json:"unnamed"` // groups without a name
	Missing  []Name     `json:"missing"`
}

// Names lists the sets by name.
func (s *Shelf) Names() (list []string) {
	files, _ := filepath.Glob(filepath.Join(s.Folder, "*.json")) // the pattern is right
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".json"); CheckName(name) == nil {
			list = append(list, name)
		}
	}
	return list
}

// List is what is on the shelf.
func (s *Shelf) List() []Kept {
	list := []Kept{}
	for _, name := range s.Names() {
		k := Kept{Name: name, Missing: []Name{}}
		if set, err := s.Load(name); err == nil {
			k.Game, k.Pictures, k.Missing = set.Game, set.Pictures(), append(k.Missing, set.Missing()...)
			k.Unnamed = len((&Sheet{Set: set}).Open())
		}
		list = append(list, k)
	}
	return list
}

// State is what a page shows of a set that is being shown.
type State struct {
	Set     string       `json:"set"`
	Game    table.Game   `json:"game"`
	Session string       `json:"session"` // comes back with every change
	Icons   []string     `json:"icons"`   // that the game's own dice have
	Tops    int          `json:"tops"`    // of the last throw
	Groups  []GroupState `json:"groups"`
	Missing []Name       `json:"missing"`
	Alike   [][2]Name    `json:"alike"`
	Cards   []CardState  `json:"cards"` // secret ones that there are; none: the game has none
}

// CardState is one secret card.
type CardState struct {
	Name    Name   `json:"name"`
	Picture string `json:"picture"` // what it is called; empty: it was not shown yet
}

// cards are the secret cards that the set's game has.
func (s *Set) cards() []CardState {
	list := []CardState{}
	if !HasCards(s.Game) {
		return list
	}
	for _, icon := range icons[s.Game] {
		c := CardState{Name: Name(icon)}
		for _, g := range s.Cards {
			if g.Name == c.Name {
				c.Picture = pictureName(g.Tops[0].Picture)
			}
		}
		list = append(list, c)
	}
	return list
}

// GroupState is one group of it.
type GroupState struct {
	Letter   string   `json:"group"`
	Name     Name     `json:"name"`
	Face     int      `json:"face"` // that icons are on; 0: not said
	Perhaps  Name     `json:"perhaps"`
	Fresh    bool     `json:"fresh"`    // made by the last throw
	Pictures []string `json:"pictures"` // what they are called
}

// pictureName is what a picture is called: the same picture, the same name.
func pictureName(p *Picture) string {
	sum := sha256.Sum256(p[:])
	return fmt.Sprintf("%x", sum[:8])
}

func (o *showing) state(set string) State {
	s := State{
		Set: set, Game: o.sheet.Set.Game, Session: o.session, Tops: o.tops, Icons: append([]string{}, Icons(o.sheet.Set.Game)...),
		Groups: []GroupState{}, Cards: o.sheet.Set.cards(), Missing: append([]Name{}, o.sheet.Set.Missing()...), Alike: append([][2]Name{}, o.sheet.Set.Alike()...),
	}
	for i, g := range o.sheet.Set.Groups {
		group := GroupState{Letter: o.sheet.Letters[i], Name: g.Name, Face: g.Face, Fresh: o.fresh[o.sheet.Letters[i]], Pictures: []string{}}
		if g.Name == "" {
			group.Perhaps = o.sheet.Set.Suggest(i)
		}
		for _, t := range g.Tops {
			group.Pictures = append(group.Pictures, pictureName(t.Picture))
		}
		s.Groups = append(s.Groups, group)
	}
	return s
}

// Begin begins to show a set, or goes on with one.
func (s *Shelf) Begin(ctx context.Context, set string, game table.Game) (State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, err := s.showing(ctx, set)
	if f := (*Fault)(nil); errors.As(err, &f) && f.Code == FaultGone {
		o, err = s.keepOpen(set, NewSet(game, "")), nil
	}
	if err != nil {
		return State{}, err
	}
	if o.sheet.Set.Game != game {
		return State{}, fault(FaultGame, "the set of dice %q is for %s, not for %s", set, o.sheet.Set.Game, game)
	}
	return o.state(set), nil
}

// State is a set as it is being shown.
func (s *Shelf) State(ctx context.Context, set string) (State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, err := s.showing(ctx, set)
	if err != nil {
		return State{}, err
	}
	return o.state(set), nil
}

// showing is a set that is open, opened if need be; s.mu is held.
func (s *Shelf) showing(ctx context.Context, set string) (*showing, error) {
	if o := s.open[set]; o != nil {
		s.uses++
		o.used = s.uses
		return o, nil
	}
	loaded, err := s.Load(set)
	if err == nil && s.Sign != nil {
		loaded, err = s.Sign(ctx, loaded)
	}
	if err != nil {
		return nil, err
	}
	return s.keepOpen(set, loaded), nil
}

func (s *Shelf) keepOpen(name string, set *Set) *showing {
	if s.open == nil {
		s.open = map[string]*showing{}
	}
	if len(s.open) >= mostOpen {
		delete(s.open, slices.MinFunc(slices.Collect(maps.Keys(s.open)), func(a, b string) int { return s.open[a].used - s.open[b].used }))
	}
	s.uses++
	o := &showing{used: s.uses, sheet: NewSheet(set), session: rand.Text()[:12], fresh: map[string]bool{}}
	s.open[name] = o
	return o
}

// Throw shows a picture of a throw.
func (s *Shelf) Throw(ctx context.Context, set string, picture []byte) (State, error) {
	before, err := s.State(ctx, set)
	if err != nil {
		return State{}, err
	}
	seen, err := s.Look(ctx, before.Game, picture) // takes its time, and nobody waits for it
	if err != nil {
		return State{}, err
	}
	return s.change(ctx, set, before.Session, func(o *showing) error {
		had := slices.Clone(o.sheet.Letters)
		tops, _, err := o.sheet.Throw("", seen.Dice)
		switch {
		case err != nil:
			return fault(FaultMany, "%s", err)
		case tops == 0:
			return fault(FaultNone, "no dice are seen: put them into the middle of the picture, on a plain ground")
		}
		o.tops, o.fresh = tops, map[string]bool{}
		for _, letter := range o.sheet.Letters {
			o.fresh[letter] = !slices.Contains(had, letter)
		}
		return nil
	})
}

// Change is what somebody says of a set's groups.
type Change struct {
	Session  string   `json:"session"`
	Do       string   `json:"do"` // name, merge, split or drop
	Group    string   `json:"group"`
	Shows    string   `json:"shows,omitempty"`    // name: what it shows, as ParseFace reads it
	Others   []string `json:"others,omitempty"`   // merge: groups that show the same
	Pictures []string `json:"pictures,omitempty"` // split, name: those of the group that alone are meant
}

// Change does what somebody says.
func (s *Shelf) Change(ctx context.Context, set string, c Change) (State, error) {
	return s.change(ctx, set, c.Session, func(o *showing) error {
		if _, err := o.sheet.group(c.Group); err != nil {
			return fault(FaultStale, "%s", err)
		}
		code, err := FaultGroups, error(nil)
		switch c.Do {
		case "name":
			letter := c.Group
			if len(c.Pictures) > 0 {
				letter, err = o.sheet.splitPictures(c.Group, c.Pictures)
			}
			if err == nil {
				code, err = FaultFace, o.sheet.Name(letter, c.Shows)
			}
		case "merge":
			err = o.sheet.Merge(append([]string{c.Group}, c.Others...))
		case "split":
			_, err = o.sheet.splitPictures(c.Group, c.Pictures)
		case "drop":
			err = o.sheet.Drop(c.Group)
		default:
			err = errors.New("do is name, merge, split or drop")
		}
		if err != nil {
			return fault(code, "%s", err)
		}
		return nil
	})
}

// splitPictures splits by what pictures are called, and tells the letter of the new group.
func (s *Sheet) splitPictures(letter string, names []string) (string, error) {
	i, err := s.group(letter)
	if err != nil {
		return "", err
	}
	var tops []int
	for k, t := range s.Set.Groups[i].Tops {
		if slices.Contains(names, pictureName(t.Picture)) {
			tops = append(tops, k)
		}
	}
	if err := s.Split(letter, tops); err != nil {
		return "", err
	}
	return s.Letters[len(s.Letters)-1], nil
}

// change changes a set and saves it. What was refused, or could not be saved, leaves it as it was saved.
func (s *Shelf) change(ctx context.Context, set, session string, do func(*showing) error) (State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, err := s.showing(ctx, set)
	if err != nil {
		return State{}, err
	}
	if o.session != session {
		return State{}, fault(FaultStale, "this set of dice was opened again meanwhile: look again")
	}
	next := o.clone()
	if err := do(next); err != nil {
		return State{}, err
	}
	if err := s.save(set, next.sheet.Set); err != nil {
		return State{}, err
	}
	s.open[set] = next
	return next.state(set), nil
}

// clone is a showing that can be changed on its own.
func (o *showing) clone() *showing {
	set, sheet, next := *o.sheet.Set, *o.sheet, *o
	set.Groups = copied(set.Groups)
	sheet.Set, sheet.Letters, sheet.Places = &set, slices.Clone(sheet.Letters), map[string][]Place{}
	next.sheet = &sheet
	return &next
}

func (s *Shelf) save(name string, set *Set) error {
	path, err := s.Path(name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		return fmt.Errorf("cannot save the set of dice: %w", err)
	}
	return set.Save(path)
}

// Picture is a picture of a set, by what it is called, as a PNG.
func (s *Shelf) Picture(ctx context.Context, set, name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, err := s.showing(ctx, set)
	if err != nil {
		return nil, err
	}
	if p := o.sheet.Set.Picture(name); p != nil {
		return p.PNG(), nil
	}
	return nil, fault(FaultGone, "the set of dice has no such picture")
}

// Import adds a set that somebody else has saved.
func (s *Shelf) Import(name string, from io.Reader) error {
	path, err := s.Path(name)
	if err != nil {
		return err
	}
	set, err := Parse(from)
	if err != nil {
		return fault(FaultFile, "%s", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := os.Stat(path); err == nil || s.open[name] != nil {
		return fault(FaultThere, "you have a set of dice %q already: choose another name", name)
	}
	return s.save(name, set)
}

// Delete deletes a set, also one that is damaged.
func (s *Shelf) Delete(set string) error {
	path, err := s.Path(set)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	opened := s.open[set] != nil // perhaps it was never saved
	delete(s.open, set)
	err = os.Remove(path)
	switch {
	case errors.Is(err, os.ErrNotExist) && opened:
		return nil
	case errors.Is(err, os.ErrNotExist):
		return fault(FaultGone, "there is no set of dice %q", set)
	case err != nil:
		return fmt.Errorf("cannot delete the set of dice: %w", err)
	}
	return nil
}

// Export writes a set as it was saved.
func (s *Shelf) Export(set string, to io.Writer) error {
	if _, err := s.Load(set); err != nil {
		return err
	}
	path, err := s.Path(set)
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(to, io.LimitReader(f, mostFile))
	return err
}
