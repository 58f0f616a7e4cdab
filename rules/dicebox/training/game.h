// Dice Box for two players, fast: a position that is changed in place, and somebody
// who plays anything. Player 0 is the one who learns. The rules are those of RULES.md
// section 2; the Go package has them with their reasons.
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

const int squares = 25;

// Splitmix64.
struct Random {
  uint64_t state;
  explicit Random(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ULL + 0x1234567) {
    for (int i = 0; i < 4; i++) next();
  }
  uint64_t next() {
    uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  int below(int n) { return int(((next() >> 32) * uint64_t(n)) >> 32); }
  double unit() { return double(next() >> 11) / 9007199254740992.0; }
};

// The up to four neighbors of a square, and the values that fit beside a value, as bits.
struct Tables {
  int neighbor[squares][4], neighbors[squares] = {};
  uint8_t beside[7] = {};
  Tables() {
    for (int s = 0; s < squares; s++) {
      auto add = [&](int n) { neighbor[s][neighbors[s]++] = n; };
      if (s / 5 > 0) add(s - 5);
      if (s / 5 < 4) add(s + 5);
      if (s % 5 > 0) add(s - 1);
      if (s % 5 < 4) add(s + 1);
    }
    for (int v = 1; v <= 6; v++) beside[v] = ((1 << (v - 1)) | (1 << (v + 1))) & 0x7E;
  }
};
inline const Tables tables;

// A die put on a square; ways: how many colors of one owner there are to do it with.
struct Placement {
  int8_t color, value, square, ways;
};

struct Position {
  uint8_t fits[squares];      // values as bits; 0x7E where no die is beside yet
  uint32_t filled, touched;   // squares as bits
  int8_t hand[2][4][7];       // by player, color and value
  int8_t size[2];
  int8_t worth[4];            // of a color to player 0: 1 own, -1 of the other, 0 of nobody
  int16_t lead;               // of player 0, on the grid
  int8_t parity;              // of the Seed

  uint32_t open() const {
    uint32_t set = 0;
    for (int s = 0; s < squares; s++)
      if (!(filled >> s & 1) && (touched >> s & 1) && fits[s]) set |= 1u << s;
    return set;
  }
  bool over() const { return (!size[0] && !size[1]) || !open(); }
  float won() const { return lead > 0 ? 1 : lead == 0 ? 0.5f : 0; }

  void fill(int square, int value) {
    filled |= 1u << square;
    touched |= 1u << square;
    for (int k = 0; k < tables.neighbors[square]; k++) {
      int n = tables.neighbor[square][k];
      touched |= 1u << n;
      fits[n] &= tables.beside[value];
    }
  }
  void place(int player, Placement a) {
    hand[player][a.color][a.value]--;
    size[player]--;
    lead += worth[a.color] * a.value;
    fill(a.square, a.value);
  }
  void reroll(int player, Random &r) {
    for (auto &color : hand[player]) {
      int n = 0;
      for (auto &k : color) n += k, k = 0;
      for (; n > 0; n--) color[1 + r.below(6)]++;
    }
  }
};

// deal starts a game in which each owns so many colors.
inline Position deal(int own, Random &r) {
  Position p;
  memset(&p, 0, sizeof p);
  memset(p.fits, 0x7E, sizeof p.fits);
  for (int q = 0; q < 2; q++) {
    p.size[q] = 12;
    for (auto &color : p.hand[q])
      for (int k = 0; k < 3; k++) color[1 + r.below(6)]++;
  }
  for (int c = 0; c < own; c++) p.worth[c] = 1, p.worth[own + c] = -1;
  int seed = 1 + r.below(6);
  p.parity = seed & 1;
  p.fill(12, seed);
  return p;
}

// placements lists what a player may place, told apart as far as they matter to who owns what.
inline std::vector<Placement> placements(const Position &p, int player) {
  int8_t first[3][7], ways[3][7] = {};
  uint8_t held = 0;
  for (int c = 0; c < 4; c++)
    for (int v = 1; v <= 6; v++)
      if (p.hand[player][c][v]) {
        int kind = p.worth[c] + 1;
        if (!ways[kind][v]++) first[kind][v] = c;
        held |= 1 << v;
      }
  std::vector<Placement> list;
  list.reserve(64);
  for (uint32_t o = p.open(); o; o &= o - 1) {
    int s = __builtin_ctz(o);
    for (uint8_t f = p.fits[s] & held; f; f &= f - 1) {
      int v = __builtin_ctz(f);
      for (int kind = 0; kind < 3; kind++)
        if (ways[kind][v]) list.push_back({first[kind][v], int8_t(v), int8_t(s), ways[kind][v]});
    }
  }
  return list;
}

// playAnything takes the turn of player 1, every color, value and square with the same chance.
inline void playAnything(Position &p, Random &r) {
  if (!p.size[1]) return;
  auto list = placements(p, 1);
  if (list.empty()) return p.reroll(1, r);
  int ways = 0;
  for (auto &a : list) ways += a.ways;
  int k = r.below(ways);
  for (auto &a : list)
    if ((k -= a.ways) < 0) return p.place(1, a);
}

// turned is the position seen in another of the board's eight symmetries.
inline Position turned(const Position &p, int symmetry) {
  Position q = p;
  q.filled = q.touched = 0;
  for (int s = 0; s < squares; s++) {
    int r = s / 5, c = s % 5;
    if (symmetry & 1) r = 4 - r;
    if (symmetry & 2) c = 4 - c;
    if (symmetry & 4) { int t = r; r = c; c = t; }
    int to = r * 5 + c;
    q.fits[to] = p.fits[s];
    q.filled |= (p.filled >> s & 1) << to;
    q.touched |= (p.touched >> s & 1) << to;
  }
  return q;
}
