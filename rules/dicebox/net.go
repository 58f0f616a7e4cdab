package dicebox

import (
	_ "embed"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"diceref/rules"
)

// What a net looks at, after an own act: how many empty squares of each sort lie in
// each ring of the grid, how many neighboring pairs of them of each two sorts, the
// dice of both hands by whose they are and face, the lead, how many colors each owns.
const (
	ringInputs = 0
	pairInputs = ringInputs + rings*sorts
	handInputs = pairInputs + sorts/2*sorts/2
	leadInput  = handInputs + 2*3*6
	twoInput   = leadInput + 1
	oneInput   = twoInput + 1
	inputs     = oneInput + 1

	rings     = 5
	hidden    = 64
	leadScale = 6 // points
)

// rung is the ring of a square: squares that a turn or a mirror can exchange lie in one.
var rung = func() (t [squares]int) {
	for i := range t {
		a, b := max(i/5-2, 2-i/5), max(i%5-2, 2-i%5)
		t[i] = [3][3]int{{0, 0, 1}, {0, 2, 3}, {1, 3, 4}}[a][b]
	}
	return t
}()

type layer [hidden]float32

// add adds a weighted row.
func (l *layer) add(row *layer, by float32) {
	for i := 0; i < hidden; i += 4 {
		l[i] += by * row[i]
		l[i+1] += by * row[i+1]
		l[i+2] += by * row[i+2]
		l[i+3] += by * row[i+3]
	}
}

// net tells how good a duel is for the one whose eyes it is seen with, after an own
// act and against somebody who plays anything: one layer between what it looks at and
// two numbers. It was learned from games it played itself; see train_test.go.
type net struct {
	In   [inputs]layer
	Win  layer // to the logit of the chance of winning
	Lead layer // to the points ahead at the end, by leadScale
	Bias [2]float32
}

//go:embed duel.net
var learnedBytes []byte

// learned is the net that ships.
var learned = func() *net {
	n := new(net)
	if _, err := binary.Decode(learnedBytes, binary.LittleEndian, n); err != nil {
		panic(err) // embedded
	}
	return n
}()

// pair is the input of two neighboring squares, one of an even sort and one of an odd one.
func pair(a, b int8) int {
	if a > b {
		a, b = b, a
	}
	return pairInputs + int(a)*6 + int(b) - 6
}

func handInput(who int, class int8, face int) int {
	return handInputs + who*18 + int(class)*6 + face - 1
}

// look is all that a net looks at.
func (d *duel) look(x *[inputs]float32) {
	*x = [inputs]float32{oneInput: 1, leadInput: float32(d.lead) / leadScale}
	for i, k := range d.sort {
		if k == none {
			continue
		}
		x[ringInputs+rung[i]*sorts+int(k)]++
		for _, n := range rules.Neighbors(i) {
			if n > i && d.sort[n] != none {
				x[pair(k, d.sort[n])]++
			}
		}
	}
	own := 0
	for c, class := range d.class {
		own += boolIndex(class == mine)
		for who := range d.hands {
			for f := 1; f <= 6; f++ {
				x[handInput(who, class, f)] += float32(d.hands[who][c][f])
			}
		}
	}
	x[twoInput] = float32(own - 1)
}

func (n *net) forward(x *[inputs]float32, h *layer) {
	*h = layer{}
	for i, v := range x {
		if v != 0 {
			h.add(&n.In[i], v)
		}
	}
}

// tell is the logit of winning and the lead that a hidden layer stands for.
func (n *net) tell(h *layer) (logit, lead float32) {
	logit, lead = n.Bias[0], n.Bias[1]
	for i, v := range h {
		if v > 0 {
			logit += v * n.Win[i]
			lead += v * n.Lead[i]
		}
	}
	return logit, lead * leadScale
}

// leadWorth is what a point of lead counts beside the logit, so that play stays good once all but won or lost.
const leadWorth = 0.03

// best is the place of the best own act in a list, and what it comes to: the chance
// of winning and the lead. values, if any, gets the rank value of every act.
func (n *net) best(d *duel, list []option, values []float32) (at int, win, lead float64) {
	var x [inputs]float32
	var base, placed layer
	d.look(&x)
	n.forward(&x, &base)
	best := float32(math.Inf(-1))
	var bestLogit, bestLead float32
	for i, o := range list {
		if i == 0 || o.square != list[i-1].square || o.face != list[i-1].face {
			placed = base
			n.filled(d, int(o.square), int(o.face), &placed)
		}
		h, class := placed, d.class[o.color]
		h.add(&n.In[handInput(mine, class, int(o.face))], -1)
		switch class {
		case mine:
			h.add(&n.In[leadInput], float32(o.face)/leadScale)
		case theirs:
			h.add(&n.In[leadInput], -float32(o.face)/leadScale)
		}
		logit, lead := n.tell(&h)
		v := logit + leadWorth*lead
		if values != nil {
			values[i] = v
		}
		if v > best {
			best, at, bestLogit, bestLead = v, i, logit, lead
		}
	}
	return at, sigmoid(bestLogit), float64(bestLead)
}

func sigmoid(x float32) float64 { return 1 / (1 + math.Exp(-float64(x))) }

// filled changes a hidden layer by what a value on a square does to the grid.
func (n *net) filled(d *duel, sq, face int, h *layer) {
	now := d.sort
	count := func(i int, k int8, by float32) { // the square and its pairs
		h.add(&n.In[ringInputs+rung[i]*sorts+int(k)], by)
		for _, j := range rules.Neighbors(i) {
			if now[j] != none {
				h.add(&n.In[pair(k, now[j])], by)
			}
		}
	}
	count(sq, now[sq], -1)
	now[sq] = none
	for _, i := range rules.Neighbors(sq) {
		set := d.cand[i] & besideTables[0][face]
		if now[i] == none || set == d.cand[i] {
			continue
		}
		count(i, now[i], -1)
		if now[i] = sortOf[(i+d.parity)&1][set]; now[i] != none {
			count(i, now[i], 1)
		}
	}
}

// ahead is after how many own acts the net is asked what a playout has come to.
const ahead = 2

// playOn plays on with the net's choices and returns what it then thinks of the
// game, or how the game ended.
func (n *net) playOn(d *duel, r *rand.Rand) (win, lead float64) {
	var room [mostOptions]option
	for left := ahead; ; left-- {
		list := d.play(r, room[:])
		if list == nil {
			return won(d.lead), float64(d.lead)
		}
		at, win, lead := n.best(d, list, nil)
		if left == 1 {
			return win, lead
		}
		d.put(mine, list[at])
	}
}
