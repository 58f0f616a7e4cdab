package dicebox

import (
	"encoding/binary"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"diceref/rules"
)

// The net that ships was made in two goes, a minute or two of one core:
//
//	go test ./rules/dicebox -run Train -train 20000 -timeout 0 -v
//	go test ./rules/dicebox -run Train -train 500000 -more -timeout 0 -v
//
// Each writes duel.net, the second one beginning with what the first one left. Without
// any search it then wins 0.835 of 1,000 games against play at random.
var (
	trainGames = flag.Int("train", 0, "games from which the net is learned; 0: a few, and nothing is written")
	trainMore  = flag.Bool("more", false, "go on from the net there is")
	trainTo    = flag.String("to", "duel.net", "the file to write")
)

// trainer learns a net from games in which it plays against somebody who plays
// anything. After every own act it is to tell what comes of the game: partly how
// the game ended, partly what it thought of its best act a turn later.
type trainer struct {
	net              *net
	grad, mean, vary net // of Adam
	steps, samples   int
	loss             float64
}

// lambda is how much the end of a game counts against what the net thought on the way.
const lambda = 0.8

// rows is all weights but the biases.
func (n *net) rows() []*layer {
	list := []*layer{&n.Win, &n.Lead}
	for i := range n.In {
		list = append(list, &n.In[i])
	}
	return list
}

func newTrainer(r *rand.Rand) *trainer {
	t := &trainer{net: new(net)}
	for _, row := range t.net.rows() {
		for i := range row {
			row[i] = 0.12 * float32(r.NormFloat64())
		}
	}
	return t
}

// moment is a position after an own act.
type moment struct {
	x         [inputs]float32
	win, lead float64 // what the net thought of its best act then
	explored  bool    // another one was played
}

// game plays one game and learns from it; now and then it tries anything.
func (t *trainer) game(first, colors int, try float64, r *rand.Rand) {
	d := deal(first, colors, r)
	var room [mostOptions]option
	var moments []moment
	for {
		list := d.play(r, room[:])
		if list == nil {
			break
		}
		at, win, lead := t.net.best(d, list, nil)
		m := moment{win: win, lead: lead, explored: r.Float64() < try}
		if m.explored {
			at = r.IntN(len(list))
		}
		d.put(mine, list[at])
		d.look(&m.x)
		moments = append(moments, m)
	}
	win, lead := won(d.lead), float64(d.lead)
	for i := len(moments) - 1; i >= 0; i-- {
		m := &moments[i]
		t.sample(&m.x, win, lead)
		if m.explored {
			win, lead = m.win, m.lead
		} else {
			win, lead = lambda*win+(1-lambda)*m.win, lambda*lead+(1-lambda)*m.lead
		}
	}
}

// deal is a game before its first act.
func deal(first, colors int, r *rand.Rand) *duel {
	class := [4]int8{mine, theirs, nones, nones}
	if colors == 2 {
		class = [4]int8{mine, mine, theirs, theirs}
	}
	d := &duel{class: &class, turn: first, sizes: [2]int{12, 12}}
	for who := range d.hands {
		for c := range d.hands[who] {
			for range 3 {
				d.hands[who][c][1+r.IntN(6)]++
			}
		}
	}
	seed := 1 + r.IntN(6)
	d.parity = seed & 1
	for i := range d.cand {
		d.cand[i] = untouched
		d.mark(i)
	}
	d.fill(center.Index(), seed)
	return d
}

// leadLoss is what an error in the lead weighs beside one in the chance of winning.
const leadLoss = 0.05

// sample adds the gradient of one position.
func (t *trainer) sample(x *[inputs]float32, win, lead float64) {
	var h, back layer
	t.net.forward(x, &h)
	logit, told := t.net.tell(&h)
	p := sigmoid(logit)
	t.loss -= win*math.Log(p+1e-9) + (1-win)*math.Log(1-p+1e-9)
	t.samples++
	dw := float32(p - win)
	dl := float32(leadLoss*(float64(told)-lead)) / leadScale
	t.grad.Bias[0] += dw
	t.grad.Bias[1] += dl
	for i, v := range h {
		if v > 0 {
			t.grad.Win[i] += dw * v
			t.grad.Lead[i] += dl * v
			back[i] = dw*t.net.Win[i] + dl*t.net.Lead[i]
		}
	}
	for i, v := range x {
		if v != 0 {
			t.grad.In[i].add(&back, v)
		}
	}
}

// step moves the weights (Adam) after n samples.
func (t *trainer) step(n int, rate float64) {
	t.steps++
	rate *= math.Sqrt(1-math.Pow(0.999, float64(t.steps))) / (1 - math.Pow(0.9, float64(t.steps)))
	w, g, m, v := t.net.rows(), t.grad.rows(), t.mean.rows(), t.vary.rows()
	for k := range w {
		for i, d := range g[k] {
			d /= float32(n)
			m[k][i] += 0.1 * (d - m[k][i])
			v[k][i] += 0.001 * (d*d - v[k][i])
			w[k][i] -= float32(rate) * m[k][i] / (float32(math.Sqrt(float64(v[k][i]))) + 1e-7)
		}
	}
	for i := range t.net.Bias {
		t.net.Bias[i] -= float32(3*rate) * t.grad.Bias[i] / float32(n)
	}
	t.grad = net{}
}

// learn plays games, with smaller and smaller steps and fewer and fewer tries.
func (t *trainer) learn(games int, rate float64, r *rand.Rand, tell func(game int)) {
	const batch = 256
	since := 0
	for g := range games {
		left := 1 - float64(g)/float64(games)
		t.game(g>>1&1, 1+g&1, 0.01+0.06*left, r)
		if t.samples-since >= batch {
			t.step(t.samples-since, rate*(0.03+0.97*left))
			since = t.samples
		}
		if (g+1)%(games/20) == 0 {
			tell(g + 1)
			since -= t.samples // what is not yet learned from
			t.loss, t.samples = 0, 0
		}
	}
}

// wins is what share of games the net wins without any search.
func (n *net) wins(games int, seed uint64) float64 {
	sum := 0.0
	for g := range games {
		r := rand.New(rand.NewPCG(seed, uint64(g)))
		d := deal(g>>1&1, 1+g&1, r)
		var room [mostOptions]option
		for {
			list := d.play(r, room[:])
			if list == nil {
				break
			}
			at, _, _ := n.best(d, list, nil)
			d.put(mine, list[at])
		}
		sum += won(d.lead)
	}
	return sum / float64(games)
}

// TestTrain learns a net from scratch: one learned from a few games beats play at random.
func TestTrain(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	trainer := newTrainer(r)
	if *trainMore {
		copied := *learned
		trainer.net = &copied
	}
	games, rate := *trainGames, 0.002
	if games == 0 {
		games = 1500
	}
	trainer.learn(games, rate, r, func(g int) {
		if *trainGames > 0 {
			t.Logf("%d games: loss %.4f, wins %.3f without search", g, trainer.loss/float64(trainer.samples), trainer.net.wins(1000, seed))
		}
	})
	if share := trainer.net.wins(1000, seed); share < 0.62 {
		t.Errorf("wins %.3f of 1000 games after learning from %d, seed %d: want 0.62", share, games, seed)
	}
	if *trainGames == 0 {
		return
	}
	text, err := binary.Append(nil, binary.LittleEndian, trainer.net)
	if err == nil {
		err = os.WriteFile(*trainTo, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestLook holds what the net works out step by step against a look at the grid anew,
// and the duel against the rulebook, in games played at random.
func TestLook(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	n := newTrainer(r).net
	for g := range 40 {
		d := deal(g&1, 1+g>>1&1, r)
		var room [mostOptions]option
		for {
			list := d.play(r, room[:])
			if list == nil {
				break
			}
			values := make([]float32, len(list))
			n.best(d, list, values)
			for i, o := range list {
				after := *d
				after.put(mine, o)
				var x [inputs]float32
				var h layer
				after.look(&x)
				n.forward(&x, &h)
				logit, lead := n.tell(&h)
				if want := logit + leadWorth*lead; math.Abs(float64(want-values[i])) > 1e-4 {
					t.Fatalf("game %d, %v: %v step by step, %v anew", g, o, values[i], want)
				}
			}
			d.put(mine, list[r.IntN(len(list))])
		}
	}
}

// TestDuel plays games by the rulebook and holds the duel of each player against it.
func TestDuel(t *testing.T) {
	for g := range 20 {
		r := rand.New(rand.NewPCG(6, uint64(g)))
		s := dealt(t, g, r)
		for s.ToMove() != rules.Nobody {
			p := s.ToMove()
			if p < 0 {
				s = applied(t, s, s.(rules.Chancer).Chance(r))
				continue
			}
			st := s.(*State)
			d, ok := st.newDuel(p)
			if !ok {
				t.Fatalf("game %d is no duel", g)
			}
			var room [mostOptions]option
			want := map[option]bool{}
			if st.Must(p) == "place" {
				for _, a := range st.different(st.placements(p)) {
					o := optionOf(a)
					want[option{d.class[o.color], o.face, o.square}] = true
				}
			}
			list := d.options(room[:0])
			for _, o := range list {
				delete(want, option{d.class[o.color], o.face, o.square})
			}
			if sheets := st.Score(); len(want) > 0 || d.lead != sheets[p].Total-sheets[1-p].Total || d.over() {
				t.Fatalf("game %d: %v missing, lead %d", g, want, d.lead)
			}
			moves, _ := s.Legal()
			s = applied(t, s, moves[r.IntN(len(moves))])
		}
	}
}
