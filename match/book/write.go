package book

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"diceref/match"
	"diceref/match/league"
)

// The forms in which a league is written.
const (
	FormJSON      = "json"     // all of it
	FormStandings = "csv"      // who stands where
	FormRounds    = "rounds"   // who has played where, a line for each player
	FormMeetings  = "meetings" // what everybody has done against everybody
)

// Write writes a league in one of its forms.
func (b *Book) Write(id, form string, w io.Writer) error {
	if form == FormMeetings {
		k, _, err := b.played(id)
		if err != nil {
			return err
		}
		return writeTable(w, meetingLines(k.HeadToHead()))
	}
	v, err := b.View(id)
	if err != nil {
		return err
	}
	switch form {
	case FormJSON:
		enc := json.NewEncoder(w)
		enc.SetIndent("", " ")
		return enc.Encode(v)
	case FormStandings:
		return writeTable(w, v.standingLines())
	case FormRounds:
		return writeTable(w, v.roundLines())
	}
	return fmt.Errorf("league: unknown form %.20q: use %s, %s, %s or %s", form, FormJSON, FormStandings, FormRounds, FormMeetings)
}

func (v View) standingLines() [][]string {
	lines := [][]string{{"rank", "player", "points", "direct encounter", "opponents (Buchholz)", "beaten (Sonneborn-Berger)", "wins", "played", "byes", "rating"}}
	for _, s := range v.Standings {
		direct := ""
		if s.Direct != nil {
			direct = decimal(*s.Direct)
		}
		lines = append(lines, []string{
			strconv.Itoa(s.Rank), s.Player, decimal(s.Points), direct, decimal(s.Opponents), decimal(s.Beaten),
			strconv.Itoa(s.Wins), strconv.Itoa(s.Played), strconv.Itoa(s.Byes), strconv.Itoa(s.Rating),
		})
	}
	return lines
}

func (v View) roundLines() [][]string {
	lines := [][]string{{"round", "table", "player", "place", "points", "state", "match", "entered by"}}
	for _, r := range v.Rounds {
		for n, t := range r.Tables {
			for i, p := range t.Players {
				lines = append(lines, []string{strconv.Itoa(r.Number), t.Called(n), p, at(t.Places, i), at(t.Points, i), t.State, t.Match, t.Who})
			}
		}
		for _, p := range r.Byes {
			lines = append(lines, []string{strconv.Itoa(r.Number), "", p, "", "", "bye", "", ""})
		}
	}
	return lines
}

func meetingLines(met map[string]map[string]league.Meetings) [][]string {
	lines := [][]string{{"player", "other", "met", "beaten"}}
	for _, a := range slices.Sorted(maps.Keys(met)) {
		for _, b := range slices.Sorted(maps.Keys(met[a])) {
			m := met[a][b]
			lines = append(lines, []string{a, b, strconv.Itoa(m.Times), decimal(m.Beaten)})
		}
	}
	return lines
}

// Called is what people call the table: its name in the hall, or its number in the round.
func (t Table) Called(n int) string {
	if t.Name != "" {
		return t.Name
	}
	return strconv.Itoa(n + 1)
}

// at is one of the numbers of a list that may be missing.
func at(list []int, i int) string {
	if i >= len(list) {
		return ""
	}
	return strconv.Itoa(list[i])
}

// decimal is a number with as many decimals as it needs, at most two.
func decimal(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 2, 64), "0"), ".")
}

// writeTable writes lines whose first one is the heading.
func writeTable(w io.Writer, lines [][]string) error {
	for _, line := range lines[1:] {
		for i := range line {
			line[i] = match.CSVCell(line[i])
		}
	}
	if err := csv.NewWriter(w).WriteAll(lines); err != nil {
		return fmt.Errorf("league: cannot write the table: %w", err)
	}
	return nil
}
