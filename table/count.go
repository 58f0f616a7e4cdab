package table

import "fmt"

// Count writes a number with the word for what is counted, in English: Count(1, "die", "dice")
// is "1 die", and 0 and 2 are "0 dice" and "2 dice".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
