// Looking one round ahead with the network, as ahead.go does.
#pragma once
#include "network.h"

inline Prospect ended(const Position &p) { return {p.won(), float(p.lead)}; }

// now is what a position is worth after an act of player 0, at first sight.
inline Prospect now(const Network &net, const Position &p) { return p.over() ? ended(p) : Look(net, p).told(); }

inline Position after(Position p, int player, Placement a) {
  p.place(player, a);
  return p;
}

// rolled is the mean over some rolls of a player's dice.
template <class Then>
Prospect rolled(const Position &p, int player, int rolls, Random &r, Then then) {
  Prospect sum = {0, 0};
  for (int i = 0; i < rolls; i++) {
    Position q = p;
    q.reroll(player, r);
    Prospect x = then(q);
    sum.win += x.win / rolls, sum.lead += x.lead / rolls;
  }
  return sum;
}

// before is what a position is worth when player 0 is to act.
inline Prospect before(const Network &net, const Position &p, int rolls, Random &r) {
  if (p.over() || !p.size[0]) return now(net, p);
  auto acts = placements(p, 0);
  if (acts.empty()) return rolled(p, 0, rolls, r, [&](Position &q) { return now(net, q); });
  Prospect best = {-1, 0};
  for (auto &a : acts) {
    Prospect x = now(net, after(p, 0, a));
    if (x.win > best.win) best = x;
  }
  return best;
}

// ahead is what a position is worth after an act of player 0, one round on.
inline Prospect ahead(const Network &net, const Position &p, int rolls, Random &r) {
  if (p.over()) return ended(p);
  if (!p.size[1]) return before(net, p, rolls, r);
  auto answers = placements(p, 1);
  if (answers.empty()) return rolled(p, 1, 2 * rolls, r, [&](Position &q) { return before(net, q, rolls, r); });
  Prospect sum = {0, 0};
  int ways = 0;
  for (auto &a : answers) {
    Prospect x = before(net, after(p, 1, a), rolls, r);
    sum.win += a.ways * x.win, sum.lead += a.ways * x.lead, ways += a.ways;
  }
  return {sum.win / ways, sum.lead / ways};
}

struct Choice {
  Placement act;
  Prospect worth;
};

// choices lists acts of player 0, the best first; of those that are best at first
// sight and hardly worse than the best so many are looked into, and the others left out.
inline std::vector<Choice> choices(const Network &net, const Position &p, size_t looked, int rolls, Random &r) {
  const float hopeless = 0.08;
  std::vector<Choice> list;
  for (auto &a : placements(p, 0)) list.push_back({a, now(net, after(p, 0, a))});
  auto best = [](const Choice &x, const Choice &y) { return x.worth.win > y.worth.win; };
  std::sort(list.begin(), list.end(), best);
  size_t n = 0;
  while (n < list.size() && n < looked && list[n].worth.win >= list[0].worth.win - hopeless) n++;
  list.resize(n);
  for (auto &c : list) c.worth = ahead(net, after(p, 0, c.act), rolls, r);
  std::sort(list.begin(), list.end(), best);
  return list;
}
