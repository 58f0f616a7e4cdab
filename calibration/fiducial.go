package calibration

import "diceref/table"

// Fiducials are square marks printed beside the four corners of a board, black
// with white cells, each telling which corner it stands at: number 0 beside that of
// [0,0], the others clockwise. A picture that shows three of them tells the grid's
// place and its numbering.
const (
	Fiducials     = 4
	FiducialCells = 6    // across, the black border of one cell included
	FiducialSide  = 0.9  // squares
	fiducialGap   = 0.35 // squares from the grid's lines; at least a cell of it stays white
)

// fiducialCodes are the inner 4×4 cells row by row, the first in the highest bit; 1
// is white. Any two of them, however turned, differ in seven cells or more.
var fiducialCodes = [Fiducials]uint16{0x50a7, 0x7375, 0xa823, 0x3d11}

// Fiducial gives the corners of a mark in squares of the grid, clockwise from its
// own top left. Marks stand upright, as the numbering does.
func Fiducial(number int) [4]table.Point {
	const low, high = -fiducialGap - FiducialSide, table.Size + fiducialGap
	x, y := [...]float64{low, high, high, low}[number], [...]float64{low, low, high, high}[number]
	return [4]table.Point{{X: x, Y: y}, {X: x + FiducialSide, Y: y}, {X: x + FiducialSide, Y: y + FiducialSide}, {X: x, Y: y + FiducialSide}}
}

// FiducialWhite says whether a cell of a mark is white; row and col count from 0.
func FiducialWhite(number, row, col int) bool {
	if row < 1 || col < 1 || row > 4 || col > 4 {
		return false
	}
	return fiducialCodes[number]>>(15-((row-1)*4+col-1))&1 == 1
}

// FiducialOf finds out which mark shows these white cells, and by how many quarters
// it has to be turned counterclockwise to stand upright. One cell may be misread.
func FiducialOf(white [FiducialCells][FiducialCells]bool) (number, quarters int, ok bool) {
	for quarters = range 4 {
		for number = range Fiducials {
			wrong := 0
			for row := range FiducialCells {
				for col := range FiducialCells {
					if white[row][col] != FiducialWhite(number, row, col) {
						wrong++
					}
				}
			}
			if wrong <= 1 {
				return number, quarters, true
			}
		}
		var turned [FiducialCells][FiducialCells]bool
		for row := range FiducialCells {
			for col := range FiducialCells {
				turned[FiducialCells-1-col][row] = white[row][col]
			}
		}
		white = turned
	}
	return 0, 0, false
}
