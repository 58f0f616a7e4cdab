package main

import (
	"image"
	"image/color"
	"strings"
)

// glyphs are letters three pixels wide and five high, row by row from the top:
// each digit is one row, its bits the pixels. Enough for a contact sheet, and no
// font file needed.
var glyphs = map[rune]string{
	'a': "25755", 'b': "65656", 'c': "34443", 'd': "65556", 'e': "74647", 'f': "74644", 'g': "34553", 'h': "55755", 'i': "72227",
	'j': "11153", 'k': "55655", 'l': "44447", 'm': "57755", 'n': "65555", 'o': "25552", 'p': "65644", 'q': "25573", 'r': "65655",
	's': "34216", 't': "72222", 'u': "55557", 'v': "55552", 'w': "55775", 'x': "55255", 'y': "55222", 'z': "71247",
	'0': "75557", '1': "26227", '2': "61247", '3': "61216", '4': "55711", '5': "74616", '6': "34757", '7': "71122", '8': "75757", '9': "75716",
	'-': "00700", '.': "00002", ',': "00024", ':': "02020", '+': "02720", '%': "51245", '_': "00007", '[': "64446", ']': "31113", '(': "24442", ')': "21112",
}

// drawText writes text at its top left corner; what has no glyph stays blank.
func drawText(img *image.RGBA, x, y int, text string, c color.RGBA) {
	for _, r := range strings.ToLower(text) {
		for row, bits := range glyphs[r] {
			for col := range 3 {
				if (bits-'0')&(4>>col) != 0 {
					img.SetRGBA(x+col, y+row, c)
				}
			}
		}
		x += 4
	}
}
