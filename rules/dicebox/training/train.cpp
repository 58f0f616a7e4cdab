// train teaches the network of foresight.go by letting it play.
//
//   train FILE MINUTES [FROM]   teach a network, a new one or one that is there
//   train --play FILE GAMES     what share of games it wins
//   train --tell FILE GAMES     positions with what it says of them, for TestForetell
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "search.h"

const int kept = 2000000;     // positions that are taught from, the newest
const int batch = 512, uses = 8;  // each position is used so often, on average
const double rate = 0.001;    // of Adam (Kingma and Ba 2015) at the start; falls to a fiftieth
const double outcomes = 0.1;  // of the time the ends of games are learned, then what a round on shows

struct Lesson {
  Position p;
  Prospect worth;
};

static double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Tally {
  double won = 0, games = 0;
};

// Game is one played to learn from. In half of the games some acts are any.
struct Game {
  const Network &net;
  Random r;
  bool whole;  // learn the end of the game: the network knows nothing yet
  std::vector<Lesson> &lessons;
  double any;
  Position p;

  Game(const Network &net, uint64_t seed, bool whole, std::vector<Lesson> &lessons)
      : net(net), r(seed), whole(whole), lessons(lessons) {
    any = r.unit() < 0.5 ? 0 : 0.2 * r.unit();
    p = deal(1 + r.below(2), r);
  }

  void note(const Position &q) {
    if (!q.over()) lessons.push_back({q, whole ? Prospect{0, 0} : ahead(net, q, 3, r)});
  }
  void note(const Choice &c) {
    Position q = after(p, 0, c.act);
    if (!q.over()) lessons.push_back({q, c.worth});
  }

  void act() {
    if (!p.size[0]) return;
    auto acts = placements(p, 0);
    if (acts.empty()) {
      p.reroll(0, r);
      if (whole || r.below(3) == 0) note(p);
      return;
    }
    Placement a = acts[r.below(acts.size())];
    bool free = r.unit() < any;
    if (whole) {
      if (!free) a = best(acts);
      note(after(p, 0, a));
    } else {
      auto list = choices(net, p, 4, 3, r);
      for (auto &c : list) note(c);
      if (free) note(after(p, 0, a));
      else a = list[0].act;
    }
    p.place(0, a);
  }

  Placement best(const std::vector<Placement> &acts) {
    return *std::max_element(acts.begin(), acts.end(), [&](const Placement &x, const Placement &y) {
      return now(net, after(p, 0, x)).win < now(net, after(p, 0, y)).win;
    });
  }

  void play(Tally &t) {
    size_t first = lessons.size();
    bool turn = r.below(2);
    if (!turn) note(p);  // the other begins
    for (; !p.over(); turn = !turn) turn ? act() : playAnything(p, r);
    if (whole)
      for (size_t i = first; i < lessons.size(); i++) lessons[i].worth = ended(p);
    if (any == 0) t.won += p.won(), t.games++;
  }
};

// Teacher changes a network by Adam, and keeps the mean of its late states, which plays.
struct Teacher {
  std::unique_ptr<Network> net{new Network}, mean{new Network}, g[2], m{new Network()}, v{new Network()};
  std::vector<Lesson> lessons;
  size_t next = 0;
  long steps = 0;
  double loss = 0, taught = 0;
  Random r{99};

  Teacher() {
    for (auto &x : g) x.reset(new Network);
  }

  void keep(const std::vector<Lesson> &more) {
    for (auto &l : more)
      if (lessons.size() < kept) lessons.push_back(l);
      else lessons[next++ % kept] = l;
  }

  void step(double rate) {
    uint64_t seed = r.next();
    double losses[2] = {};
#pragma omp parallel for num_threads(2)
    for (int half = 0; half < 2; half++) {
      memset(g[half].get(), 0, sizeof(Network));
      Random r(seed + half);
      for (int i = 0; i < batch / 2; i++) {
        const Lesson &l = lessons[(r.next() >> 20) % lessons.size()];
        Look look(*net, turned(l.p, r.below(8)));
        float win = 1 / (1 + expf(-look.out[0])), gain = (l.worth.lead - l.p.lead) / 10;
        const float error[2] = {win - l.worth.win, 0.05f * (look.out[1] - gain)};
        look.teach(error, *g[half]);
        losses[half] += error[0] * error[0];
      }
    }
    steps++, loss += losses[0] + losses[1], taught += batch;
    double bias1 = 1 - pow(0.9, steps), bias2 = 1 - pow(0.999, steps);
    float *n = flat(*net), *a = flat(*mean), *m = flat(*this->m), *v = flat(*this->v);
    const float *g0 = flat(*g[0]), *g1 = flat(*g[1]);
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < numbers; i++) {
      float g = (g0[i] + g1[i]) / batch;
      m[i] += 0.1f * (g - m[i]);
      v[i] += 0.001f * (g * g - v[i]);
      n[i] -= rate * (m[i] / bias1) / (sqrtf(v[i] / bias2) + 1e-6f);
      a[i] += 0.002f * (n[i] - a[i]);
    }
  }
};

static void train(const std::string &file, double minutes, const char *from) {
  Teacher t;
  from ? load(*t.net, from) : start(*t.net, 1);
  *t.mean = *t.net;
  double begun = seconds(), told = begun, time = 60 * minutes;
  uint64_t game = uint64_t(begun * 1000);
  Tally all;
  bool began = false;  // to learn from what a round on shows
  for (double part; (part = (seconds() - begun) / time) < 1;) {
    bool whole = !from && part < outcomes;
    if (!whole && !began) began = true, t.lessons.clear(), t.next = 0;  // ends of games say it less exactly
    const int games = whole ? 400 : 60;
    std::vector<Lesson> more[2];
    Tally tally[2];
    Network playing = *t.mean;
#pragma omp parallel for num_threads(2)
    for (int half = 0; half < 2; half++)
      for (int i = 0; i < games / 2; i++) Game(playing, game + 2 * i + half, whole, more[half]).play(tally[half]);
    game += games;
    size_t n = 0;
    for (int half = 0; half < 2; half++) {
      t.keep(more[half]);
      n += more[half].size();
      all.won += tally[half].won, all.games += tally[half].games;
    }
    double now = rate * (whole ? 1 : std::max(0.02, 1 - part));
    for (size_t i = 0; i < n * (whole ? uses / 2 : uses) / batch; i++) t.step(now);
    if (seconds() - told < 60) continue;
    told = seconds();
    save(*t.mean, file);
    printf("%3.0f %%: %zu positions, error %.4f, won %.4f of %.0f games\n", 100 * part, t.lessons.size(),
           sqrt(t.loss / t.taught), all.won / all.games, all.games);
    fflush(stdout);
    all = {}, t.loss = t.taught = 0;
  }
  save(*t.mean, file);
}

static void play(const Network &net, int games) {
  double won[2] = {};
#pragma omp parallel for num_threads(2) schedule(dynamic, 10)
  for (int g = 0; g < games; g++) {
    Random r(500000000 + g);
    Position p = deal(1 + g / 2 % 2, r);
    for (bool turn = g % 2 == 0; !p.over(); turn = !turn) {
      if (!turn) playAnything(p, r);
      else if (p.size[0] && placements(p, 0).empty()) p.reroll(0, r);
      else if (p.size[0]) p.place(0, choices(net, p, 12, 4, r)[0].act);
    }
#pragma omp critical
    won[g / 2 % 2] += p.won();
  }
  double share = (won[0] + won[1]) / games;
  printf("won %.4f, standard error %.4f (one color each %.4f, two %.4f)\n", share, sqrt(share * (1 - share) / games),
         2 * won[0] / games, 2 * won[1] / games);
}

static void tell(const Network &net, int games) {
  for (int g = 0; g < games; g++) {
    Random r(77 + g);
    Position p = deal(1 + g % 2, r);
    for (int turns = r.below(20); turns > 0; turns--) {
      Position q = p;
      playAnything(q, r);
      std::swap(q.hand[0], q.hand[1]);
      std::swap(q.size[0], q.size[1]);
      if (q.over()) break;
      p = q;
    }
    Prospect x = now(net, p);
    printf("%s{\"filled\": %u, \"open\": %u, \"fits\": [", g ? ",\n " : "[\n ", p.filled, p.open());
    for (int s = 0; s < squares; s++) printf("%s%d", s ? ", " : "", p.fits[s]);
    for (int q = 0; q < 2; q++)
      for (int c = 0; c < 4; c++) {
        printf("%s", q + c == 0 ? "], \"hands\": [[[" : c ? "], [" : "]], [[");
        for (int v = 1; v <= 6; v++) printf("%s%d", v > 1 ? ", " : "", p.hand[q][c][v]);
      }
    printf("]]], \"own\": %d, \"lead\": %d, \"win\": %.5f, \"end\": %.4f}", 1 + (p.worth[1] > 0), p.lead, x.win, x.lead);
  }
  printf("\n]\n");
}

int main(int argc, char **argv) {
  std::string what = argc > 1 ? argv[1] : "";
  if (argc == 4 && (what == "--play" || what == "--tell")) {
    static Network net;
    load(net, argv[2]);
    (what == "--play" ? play : tell)(net, atoi(argv[3]));
  } else if ((argc == 3 || argc == 4) && atof(argv[2]) > 0 && what[0] != '-') {
    train(what, atof(argv[2]), argc == 4 ? argv[3] : nullptr);
  } else {
    fprintf(stderr, "use: train FILE MINUTES [FROM] | train --play FILE GAMES | train --tell FILE GAMES\n");
    return 2;
  }
}
