package diceflick

// The likelihood, as a natural logarithm, of a view or a word if something happened that no course explains. Such a thing is taken to
// happen once in ten thousand times (-9.2), and then a view is as likely as the median one is (-3.9; a word -0.8), as counted in 18
// simulated games.
const (
	elseSeen = -9.2 - 3.9
	elseSaid = -9.2 - 0.8
)

// Unthought is the likelihood of the view or the word, as a natural logarithm, if something happened that no course explains.
func (v View) Unthought() float64 {
	if v.Holes == nil {
		return elseSaid
	}
	return elseSeen
}
