// The network that foretells how a game ends for player 0, who has just acted. Its
// numbers lie in the file as they lie here; foresight.go says what they mean.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "game.h"

const int units = 128, last = 32;
const int most_alike = 4, held_facts = 2 * 3 * 6 * most_alike * 2;
const int most_lead = 40, sizes = 13, counts = 10;
const int lead_facts = held_facts, size_facts = lead_facts + 2 * most_lead + 1, count_facts = size_facts + 2 * sizes;
const int open_facts = count_facts + 6 * counts, alive_facts = open_facts + squares + 1;
const int kind_facts = alive_facts + squares + 1, facts = kind_facts + 4;

struct Network {
  float sees[49][9][units], holds[held_facts][units], bias[units];
  float sums[2 * units][units], knows[facts][units], bias2[units];
  float joins[units][last], bias3[last];
  float tells[last][2], bias4[2];
};
const int numbers = sizeof(Network) / sizeof(float);
inline float *flat(Network &n) { return reinterpret_cast<float *>(&n); }

typedef float Lanes __attribute__((vector_size(64), aligned(4)));
const int lanes = units / 16;
inline Lanes *in(float *x) { return reinterpret_cast<Lanes *>(x); }
inline const Lanes *in(const float *x) { return reinterpret_cast<const Lanes *>(x); }
inline void add(float *to, const float *what) {
  for (int k = 0; k < lanes; k++) in(to)[k] += in(what)[k];
}

// What may fit on a square that can be filled, and which of 49 places about one square another is.
struct Indices {
  int8_t fits[128], offset[squares][squares];
  Indices() {
    memset(fits, -1, sizeof fits);
    const uint8_t sets[9] = {0x7E, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 1 | 1 << 3, 1 << 2 | 1 << 4, 1 << 3 | 1 << 5, 1 << 4 | 1 << 6};
    for (int i = 0; i < 9; i++) fits[sets[i]] = i;
    for (int a = 0; a < squares; a++)
      for (int b = 0; b < squares; b++) {
        int dr = b / 5 - a / 5, dc = b % 5 - a % 5;
        offset[a][b] = abs(dr) <= 3 && abs(dc) <= 3 ? (dr + 3) * 7 + dc + 3 : -1;
      }
  }
};
inline const Indices indices;

struct Features {
  int n = 0, held = 0, alive = 0;
  int16_t fact[192];
  int8_t square[squares], fits[squares];

  explicit Features(const Position &p) {
    uint8_t fit = 0;
    int count[7] = {}, open = 0;
    for (int s = 0; s < squares; s++) {
      if ((p.filled >> s & 1) || !p.fits[s]) continue;
      square[alive] = s;
      fits[alive++] = indices.fits[p.fits[s]];
      if (p.fits[s] == 0x7E) continue;
      open++;
      fit |= p.fits[s];
      for (uint8_t f = p.fits[s]; f; f &= f - 1) count[__builtin_ctz(f)]++;
    }
    for (int q = 0; q < 2; q++)
      for (int v = 1; v <= 6; v++) {
        int alike[3] = {};
        for (int c = 0; c < 4; c++) alike[p.worth[c] + 1] += p.hand[q][c][v];
        for (int kind = 0; kind < 3; kind++)
          for (int k = 0; k < alike[kind] && k < most_alike; k++)
            fact[n++] = (((q * 3 + kind) * 6 + v - 1) * most_alike + k) * 2 + (fit >> v & 1);
      }
    held = n;
    int lead = std::max(-most_lead, std::min<int>(most_lead, p.lead));
    fact[n++] = lead_facts + most_lead + lead;
    fact[n++] = size_facts + p.size[0];
    fact[n++] = size_facts + sizes + p.size[1];
    for (int v = 1; v <= 6; v++) fact[n++] = count_facts + (v - 1) * counts + std::min(count[v], counts - 1);
    fact[n++] = open_facts + open;
    fact[n++] = alive_facts + alive;
    fact[n++] = kind_facts + p.parity * 2 + (p.worth[1] > 0);
  }
  int shade(int i) const { return (square[i] / 5 + square[i] % 5) & 1; }  // as on a chessboard
};

struct Prospect {
  float win, lead;
};

// A position with all that the network made of it, as teaching it needs.
struct Look {
  const Network &net;
  Features f;
  float lead;
  float seen[squares][units], sum[2 * units], game[units], end[last], out[2];

  Look(const Network &net, const Position &p) : net(net), f(p), lead(p.lead) {
    see();
    memcpy(game, net.bias2, sizeof game);
    for (int i = 0; i < f.n; i++) add(game, net.knows[f.fact[i]]);
    for (int i = 0; i < 2 * units; i++)
      if (sum[i] > 0)
        for (int k = 0; k < lanes; k++) in(game)[k] += in(net.sums[i])[k] * sum[i];
    memcpy(end, net.bias3, sizeof end);
    for (int i = 0; i < units; i++)
      if ((game[i] = std::max(game[i], 0.f)) > 0)
        for (int k = 0; k < last; k++) end[k] += net.joins[i][k] * game[i];
    out[0] = net.bias4[0], out[1] = net.bias4[1];
    for (int k = 0; k < last; k++) {
      end[k] = std::max(end[k], 0.f);
      for (int o = 0; o < 2; o++) out[o] += end[k] * net.tells[k][o];
    }
  }
  Prospect told() const { return {1 / (1 + expf(-out[0])), lead + 10 * out[1]}; }

  // teach adds to a gradient what the errors of the two outputs say.
  void teach(const float error[2], Network &g) const {
    float e[last], m[units], s[2 * units];
    for (int k = 0; k < last; k++) {
      e[k] = 0;
      for (int o = 0; o < 2; o++) {
        g.tells[k][o] += error[o] * end[k];
        if (end[k] > 0) e[k] += error[o] * net.tells[k][o];
      }
      g.bias3[k] += e[k];
    }
    for (int o = 0; o < 2; o++) g.bias4[o] += error[o];
    for (int i = 0; i < units; i++) {
      m[i] = 0;
      if (game[i] <= 0) continue;
      for (int k = 0; k < last; k++) g.joins[i][k] += e[k] * game[i], m[i] += e[k] * net.joins[i][k];
    }
    add(g.bias2, m);
    for (int i = 0; i < f.n; i++) add(g.knows[f.fact[i]], m);
    for (int i = 0; i < 2 * units; i++) {
      s[i] = 0;
      if (sum[i] <= 0) continue;
      for (int k = 0; k < units; k++) g.sums[i][k] += m[k] * sum[i], s[i] += m[k] * net.sums[i][k];
      s[i] /= 4;
    }
    float all[units] = {};
    for (int i = 0; i < f.alive; i++) {
      float u[units];
      for (int k = 0; k < units; k++) u[k] = seen[i][k] > 0 ? s[f.shade(i) * units + k] : 0;
      add(all, u);
      for (int j = 0; j < f.alive; j++) {
        int at = indices.offset[f.square[i]][f.square[j]];
        if (at >= 0) add(g.sees[at][f.fits[j]], u);
      }
    }
    add(g.bias, all);
    for (int i = 0; i < f.held; i++) add(g.holds[f.fact[i]], all);
  }

 private:
  void see() {
    float hands[units];
    memcpy(hands, net.bias, sizeof hands);
    for (int i = 0; i < f.held; i++) add(hands, net.holds[f.fact[i]]);
    memset(sum, 0, sizeof sum);
    for (int i = 0; i < f.alive; i++) {
      float *u = seen[i];
      memcpy(u, hands, sizeof hands);
      for (int j = 0; j < f.alive; j++) {
        int at = indices.offset[f.square[i]][f.square[j]];
        if (at >= 0) add(u, net.sees[at][f.fits[j]]);
      }
      for (int k = 0; k < units; k++) {
        u[k] = std::max(u[k], 0.f);
        sum[f.shade(i) * units + k] += u[k] / 4;
      }
    }
  }
};

// start fills a network with small random numbers.
inline void start(Network &n, uint64_t seed) {
  Random r(seed);
  auto fill = [&](float *x, size_t bytes, double spread) {
    for (size_t i = 0; i < bytes / sizeof(float); i++)
      x[i] = spread * sqrt(-2 * log(r.unit() + 1e-12)) * cos(2 * M_PI * r.unit());
  };
  memset(&n, 0, sizeof n);
  fill(n.sees[0][0], sizeof n.sees, 0.2);
  fill(n.holds[0], sizeof n.holds, 0.1);
  fill(n.sums[0], sizeof n.sums, 0.07);
  fill(n.knows[0], sizeof n.knows, 0.1);
  fill(n.joins[0], sizeof n.joins, 0.12);
  fill(n.tells[0], sizeof n.tells, 0.2);
}

inline void load(Network &n, const std::string &file) {
  FILE *f = fopen(file.c_str(), "rb");
  if (!f || fread(&n, sizeof n, 1, f) != 1 || fgetc(f) != EOF) {
    fprintf(stderr, "train: %s: no network of %zu bytes\n", file.c_str(), sizeof n);
    exit(1);
  }
  fclose(f);
}

// save replaces a file only once the new one is whole.
inline void save(const Network &n, const std::string &file) {
  std::string part = file + ".part";
  FILE *f = fopen(part.c_str(), "wb");
  bool ok = f && fwrite(&n, sizeof n, 1, f) == 1;
  ok = f && !fclose(f) && ok;
  if (!ok || rename(part.c_str(), file.c_str())) {
    fprintf(stderr, "train: cannot write %s\n", file.c_str());
    exit(1);
  }
}
