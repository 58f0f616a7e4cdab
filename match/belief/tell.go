package belief

import "diceref/rules"

// Told is the set of hypotheses whose lines begin with moves that were told, without those. Where there is none, it is the set
// as it was.
func (s Set[S]) Told(line []rules.Move) Set[S] {
	var list []Hypothesis[S]
	for _, h := range s.list {
		if begins(h.Line, line) {
			h.Line = h.Line[len(line):]
			list = append(list, h)
		}
	}
	if len(list) == 0 {
		return s
	}
	return weighed(list)
}

// begins says whether a line begins with another.
func begins(line, with []rules.Move) bool {
	if len(line) < len(with) {
		return false
	}
	for i := range with {
		if line[i].String() != with[i].String() {
			return false
		}
	}
	return true
}
