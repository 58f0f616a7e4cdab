package measure

import (
	_ "embed"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Photographs of real dice serve three ends, and none serves two: the networks learn from some, others choose
// between ways to read, and the rest judge. They are parted by scene, as two shots of one table are nearly one.

// Parts are the names of what photographs serve for.
var Parts = []string{"learn", "choose", "judge"}

//go:embed photographs.tsv
var photographs string

// scenery is one scene of photographs.tsv.
type scenery struct{ set, first, last, part string }

var sceneries = func() (out []scenery) {
	for line := range strings.Lines(photographs) {
		if f := strings.Split(strings.TrimRight(line, "\n"), "\t"); !strings.HasPrefix(line, "#") {
			out = append(out, scenery{f[0], f[1], f[2], f[3]})
		}
	}
	return out
}()

// Part tells what a photograph serves for: one of Parts, or "" for one that is in no set.
func (p *Picture) Part() string {
	name := strings.TrimSuffix(filepath.Base(p.Path), filepath.Ext(p.Path))
	for _, s := range sceneries {
		if s.set == p.Group && s.has(name) {
			return s.part
		}
	}
	return ""
}

func (s *scenery) has(name string) bool {
	if s.last == "" {
		ok, err := path.Match(s.first, name)
		return ok && err == nil
	}
	return compareNames(s.first, name) <= 0 && compareNames(name, s.last) <= 0
}

// compareNames orders names as people do: a run of digits counts as a number.
func compareNames(a, b string) int {
	return slices.CompareFunc(chunks(a), chunks(b), func(x, y string) int {
		n, errX := strconv.ParseUint(x, 10, 64)
		m, errY := strconv.ParseUint(y, 10, 64)
		switch {
		case errX != nil || errY != nil:
			return strings.Compare(x, y)
		case n < m:
			return -1
		case n > m:
			return 1
		}
		return 0
	})
}

// chunks cuts a name into runs of digits and of anything else.
func chunks(name string) (out []string) {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	for from, i := 0, 1; i <= len(name); i++ {
		if i == len(name) || digit(name[i]) != digit(name[i-1]) {
			out, from = append(out, name[from:i]), i
		}
	}
	return out
}

// ReportSets prints one line a set of photographs: shares of the dice that had to be read, or of the pictures.
// Where a set does not tell its dice's colors, the face alone is right.
func ReportSets(w io.Writer, marks []Mark) error {
	sets := map[string]*tally{}
	var order []string
	for i := range marks {
		m := &marks[i]
		for _, key := range []string{m.Picture.Group, "~all"} {
			if sets[key] == nil {
				sets[key] = &tally{}
				order = append(order, key)
			}
			sets[key].add(m)
		}
	}
	slices.Sort(order)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "set\tpictures\tdice\tfound\tface right\tface and color\tall right\tinvented\ta picture\tsure\tsure+wrong\tof sure ones\tms\t")
	for _, key := range order {
		g := sets[key]
		slices.Sort(g.ms)
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%d\t%.2f\t%s\t%d\t%s\t%.0f\t\n", strings.TrimPrefix(key, "~"), g.pictures, g.dice, share(g.dice-g.missed, g.dice),
			share(g.faces, g.dice), share(g.right, g.dice), share(g.allRight, g.pictures), g.invented, float64(g.invented)/float64(g.pictures),
			share(g.sure, g.dice), g.sureWrong, share(g.sureWrong, g.sure), g.ms[len(g.ms)/2])
	}
	return t.Flush()
}
