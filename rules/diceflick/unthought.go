package diceflick

// How likely a view or a word is because something happened that no course explains: such a thing happens once in ten thousand times, and
// then the view is as likely as one is in the middle.
const (
	elseSeen = -9.2 - 3.9
	elseSaid = -9.2 - 0.8
)

// Unthought is how likely the view or the word is because something happened that no course explains, as a natural logarithm.
func (v View) Unthought() float64 {
	if v.Holes == nil {
		return elseSaid
	}
	return elseSeen
}
