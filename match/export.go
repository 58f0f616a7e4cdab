package match

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"diceref/rules"
)

// exportVersion is the form of an exported match.
const exportVersion = 1

// exported is a match as a file of its own.
type exported struct {
	Version int      `json:"diceref_match"`
	Setting Setting  `json:"setting"`
	Records []Record `json:"records"`
}

// Export writes one complete match from the journal as JSON.
func (j *Journal) Export(id string, w io.Writer) error {
	s, err := j.Setting(id)
	if err != nil {
		return err
	}
	records, err := j.Records(id)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	if err := enc.Encode(exported{exportVersion, s, records}); err != nil {
		return fmt.Errorf("match: cannot export %s: %w", id, err)
	}
	return nil
}

// Import adds an exported match to the journal after checking that it replays without errors.
func (j *Journal) Import(r io.Reader) (*Match, error) {
	m, x, err := readExport(r)
	if err != nil {
		return nil, err
	}
	id := x.Setting.ID
	if _, err := j.Setting(id); err == nil {
		return nil, fmt.Errorf("match: cannot import %s: it is already in the journal", id)
	}
	if err := j.add(x.Setting, x.Records, true); err != nil { // as it was set up: its records say what changed since
		return nil, fmt.Errorf("match: cannot import %s: %w", id, err)
	}
	m.journal = j
	return m, nil
}

// ReadExport replays an exported match in memory.
func ReadExport(r io.Reader) (*Match, error) {
	m, _, err := readExport(r)
	return m, err
}

// The most that an exported match may hold. The longest games there are have some thousand events
// of about a kilobyte each.
const (
	mostBytes   = 32 << 20  // of the file
	mostRecords = 20_000    // events
	mostText    = 256 << 10 // bytes of one event
	mostSetup   = 1 << 20   // bytes of the set-up, with the owner's own cards
)

func readExport(r io.Reader) (*Match, exported, error) {
	limited := &io.LimitedReader{R: r, N: mostBytes + 1}
	x, err := decodeExport(limited)
	switch {
	case limited.N <= 0:
		return nil, x, fmt.Errorf("match: this file is too large for an exported match (at most %d MB)", mostBytes>>20)
	case err != nil:
		return nil, x, err
	}
	if err := x.check(); err != nil {
		return nil, x, err
	}
	m, err := prepare(x.Setting.config())
	if err != nil {
		return nil, x, err
	}
	m.setting = x.Setting
	return m, x, m.replay(x.Records)
}

// decodeExport reads a file record by record, so that one that is made to fill the memory does not.
func decodeExport(r io.Reader) (x exported, err error) {
	dec := json.NewDecoder(r)
	wrong := func(err error) error { return fmt.Errorf("match: this is not an exported match: %w", err) }
	if err := opening(dec, '{'); err != nil {
		return x, wrong(err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return x, wrong(err)
		}
		switch key {
		case "diceref_match":
			err = dec.Decode(&x.Version)
		case "setting":
			err = decodeWithin(dec, mostSetup, "the set-up", &x.Setting)
		case "records":
			x.Records, err = decodeRecords(dec)
		default: // of a version to come
			var skipped json.RawMessage
			err = dec.Decode(&skipped)
		}
		if err != nil {
			return x, wrong(err)
		}
	}
	if _, err := dec.Token(); err != nil {
		return x, wrong(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return x, wrong(errors.New("there is more after its end"))
	}
	return x, nil
}

func decodeRecords(dec *json.Decoder) ([]Record, error) {
	if err := opening(dec, '['); err != nil {
		return nil, err
	}
	var list []Record
	for dec.More() {
		if len(list) == mostRecords {
			return nil, fmt.Errorf("it has more than %d events", mostRecords)
		}
		var r Record
		if err := decodeWithin(dec, mostText, fmt.Sprintf("event %d", len(list)+1), &r); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	_, err := dec.Token()
	return list, err
}

// opening reads the bracket with which a list or an object begins.
func opening(dec *json.Decoder, want json.Delim) error {
	t, err := dec.Token()
	if err == nil && t != want {
		err = fmt.Errorf("found %v instead of %v", t, want)
	}
	return err
}

// decodeWithin reads a part that may have only so many bytes.
func decodeWithin(dec *json.Decoder, most int, what string, into any) error {
	var text json.RawMessage
	if err := dec.Decode(&text); err != nil {
		return err
	}
	if len(text) > most {
		return fmt.Errorf("%s has more than %d kB", what, most>>10)
	}
	return json.Unmarshal(text, into)
}

// plainID is how a match is named: it stands in addresses and in lists.
var plainID = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$`)

// check refuses what is no whole match.
func (x exported) check() error {
	switch {
	case x.Version == 0 || len(x.Records) == 0:
		return fmt.Errorf("match: this is not an exported match")
	case x.Version != exportVersion:
		return fmt.Errorf("match: cannot read format %d of an exported match (expected %d)", x.Version, exportVersion)
	case !plainID.MatchString(x.Setting.ID):
		return fmt.Errorf("match: an exported match cannot be called %.60q (expected letters, digits, dots and dashes)", x.Setting.ID)
	}
	for i, r := range x.Records {
		if r.Seq != int64(i+1) {
			return fmt.Errorf("match: event %d of the exported match is missing", i+1)
		}
	}
	if n := len(x.Setting.Players); n > mostPlayers {
		return fmt.Errorf("match: an exported match has at most %d players, not %d", mostPlayers, n)
	}
	for _, r := range x.Records {
		if r.Act.Kind == actNames {
			if err := CheckNames(r.Act.Names); err != nil {
				return err
			}
		}
	}
	return CheckNames(x.Setting.Players)
}

// mostPlayers is more than any game has.
const mostPlayers = 16

// WriteCSV writes the score pad: a line for each part of the score, a column for
// each player, and the totals.
func (m *Match) WriteCSV(w io.Writer) error {
	m.mu.Lock()
	sheets := m.line.now().Score()
	players := m.setting.Players
	m.mu.Unlock()
	var names []string
	cells := map[string][]string{}
	for p, s := range sheets {
		for _, l := range s.Lines {
			if cells[l.Name] == nil {
				names = append(names, l.Name)
				cells[l.Name] = make([]string, len(players))
			}
			cells[l.Name][p] = strconv.Itoa(l.Points)
		}
	}
	out := csv.NewWriter(w)
	total := []string{"total"}
	for _, s := range sheets {
		total = append(total, strconv.Itoa(s.Total))
	}
	lines := [][]string{{""}}
	for _, p := range players {
		lines[0] = append(lines[0], CSVCell(p))
	}
	for _, n := range names {
		lines = append(lines, append([]string{CSVCell(n)}, cells[n]...))
	}
	if err := out.WriteAll(append(lines, total)); err != nil {
		return fmt.Errorf("match: cannot write the score pad: %w", err)
	}
	return nil
}

// CSVCell is a text as a cell of a table: a program that shows tables must not take it for a formula.
func CSVCell(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// WriteText writes the match in notation for people: a header, then the acts that count,
// one per line. "?!" marks an illegal act that was kept. In braces are the reasons, the
// questions with their choices, and what was declared and has not been seen yet.
func (m *Match) WriteText(w io.Writer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "[Game %q]\n[Match %q]\n[Date %q]\n", m.setting.Game, m.setting.ID, m.setting.Created.UTC().Format("2006.01.02"))
	for i, p := range m.setting.Players {
		fmt.Fprintf(&b, "[Player%v %q]\n", rules.Player(i), p)
	}
	for i, colors := range m.setting.Owners {
		fmt.Fprintf(&b, "[Owner%v %q]\n", rules.Player(i), strings.Trim(fmt.Sprint(colors), "[]"))
	}
	for _, name := range slices.Sorted(maps.Keys(m.setting.Options)) {
		fmt.Fprintf(&b, "[Option %q]\n", fmt.Sprintf("%s=%v", name, m.setting.Options[name]))
	}
	b.WriteByte('\n')
	codes, asked := map[int64]string{}, []EventView{}
	for _, e := range m.log {
		switch {
		case e.Type == TypeDoubt:
			asked = append(asked, e)
		case e.Legal != nil && !*e.Legal:
			codes[e.Seq] = " ?! {" + e.Code + "}"
		}
	}
	n := 0
	for _, e := range m.line.acts {
		for len(asked) > 0 && asked[0].Seq < e.seq {
			writeAsked(&b, asked[0])
			asked = asked[1:]
		}
		if e.kind == actTakeback {
			b.WriteString("     taken back\n")
			continue
		}
		for _, mv := range e.moves {
			if mv.Actor() == rules.Nature {
				fmt.Fprintf(&b, "     %s\n", mv)
				continue
			}
			n++
			fmt.Fprintf(&b, "%3d. %s%s\n", n, mv, codes[e.seq])
		}
	}
	for _, e := range asked {
		writeAsked(&b, e)
	}
	for _, e := range m.line.said {
		fmt.Fprintf(&b, "     {waiting to see: %s}\n", braceless(e.words()))
	}
	for _, s := range m.line.now().Score() {
		fmt.Fprintf(&b, "%s: %d\n", m.name(rules.Player(s.Player)), s.Total)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeAsked writes a question, and what could be answered, as a comment.
func writeAsked(b *strings.Builder, e EventView) {
	fmt.Fprintf(b, "     {%s}\n", braceless(strings.Join(append([]string{e.Ask}, e.Choices...), " / ")))
}

// braceless is a text that may stand in a comment.
func braceless(text string) string { return strings.NewReplacer("{", "(", "}", ")").Replace(text) }

// Write writes a match of the journal in one of three forms: export, csv (the score
// pad) or text (notation).
func (j *Journal) Write(id, form string, w io.Writer) error {
	if form == "export" {
		return j.Export(id, w)
	}
	m, err := Reread(j, id)
	if err != nil {
		return err
	}
	if form == "csv" {
		return m.WriteCSV(w)
	}
	return m.WriteText(w)
}
