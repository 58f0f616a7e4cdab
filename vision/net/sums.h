// Sums of weighted, shifted rows: what a convolution is made of, with the widest vectors that the
// processor has.

#pragma once

// Sums is the work on some places: out[c*ahead + place] becomes bias[c] and the sum over k of
// weights[k*channels + c] * in[offsets[k] + place], or least where that is more.
struct Sums {
    const float *in, *weights, *bias;
    const int *offsets;
    int terms;
    float least;
    float *out;
    int ahead;
};

// Way is how a processor does it: `across` vectors of `wide` places, in up to so many channels at a time; and
// how it changes tiles (tiles.h).
struct Way {
    void (*sums)(const Sums &, int channels, int across);
    int wide, channels;
    void (*into)(const float *in, int plane, int row, float *out, int ahead, int places);
    void (*outOf)(const float *in, int ahead, float bias, float least, float *lines, int places);
};

enum { mostAcross = 3, mostWide = 16, mostChannels = 8 };

#define INSIDE static inline __attribute__((always_inline))

#include "tiles.h"

// Everything that is summed stays in registers: channels * across sums, `across` places.
template <int wide, int channels, int across>
INSIDE void sumTile(const Sums &s) {
    typedef float Vector __attribute__((vector_size(wide * sizeof(float)), aligned(sizeof(float)), may_alias));
    Vector sum[channels][across];
#pragma GCC unroll 8
    for (int c = 0; c < channels; c++)
#pragma GCC unroll 3
        for (int v = 0; v < across; v++)
            sum[c][v] = Vector{} + s.bias[c];
    const float *w = s.weights;
    for (int k = 0; k < s.terms; k++, w += channels) {
        const Vector *in = (const Vector *)(s.in + s.offsets[k]);
        Vector x[across];
#pragma GCC unroll 3
        for (int v = 0; v < across; v++)
            x[v] = in[v];
#pragma GCC unroll 8
        for (int c = 0; c < channels; c++)
#pragma GCC unroll 3
            for (int v = 0; v < across; v++)
                sum[c][v] += x[v] * w[c];
    }
    const Vector least = Vector{} + s.least;
#pragma GCC unroll 8
    for (int c = 0; c < channels; c++)
#pragma GCC unroll 3
        for (int v = 0; v < across; v++)
            ((Vector *)(s.out + c * s.ahead))[v] = sum[c][v] > least ? sum[c][v] : least;
}

template <int wide, int channels>
INSIDE void sumTiles(const Sums &s, int across) {
    switch (across) {
    case 1: return sumTile<wide, channels, 1>(s);
    case 2: return sumTile<wide, channels, 2>(s);
    default: return sumTile<wide, channels, 3>(s);
    }
}

// sumChannels asks for the code of just so many channels, `most` at most.
template <int wide, int most, int channels = 1>
INSIDE void sumChannels(const Sums &s, int asked, int across) {
    if constexpr (channels < most)
        if (asked != channels)
            return sumChannels<wide, most, channels + 1>(s, asked, across);
    sumTiles<wide, channels>(s, across);
}

#ifdef __x86_64__
// 16 registers hold 4 channels, 32 hold 8.
#define WITH256 __attribute__((target("avx2,fma"))) static
#define WITH512 __attribute__((target("avx512f,fma"))) static

WITH256 void sums256(const Sums &s, int channels, int across) { sumChannels<8, 4>(s, channels, across); }
WITH512 void sums512(const Sums &s, int channels, int across) { sumChannels<16, 8>(s, channels, across); }

WITH256 void into256(const float *in, int plane, int row, float *out, int ahead, int places) {
    intoTiles<8>(in, plane, row, out, ahead, places);
}
WITH512 void into512(const float *in, int plane, int row, float *out, int ahead, int places) {
    intoTiles<16>(in, plane, row, out, ahead, places);
}
WITH256 void outOf256(const float *in, int ahead, float bias, float least, float *lines, int places) {
    outOfTiles<8>(in, ahead, bias, least, lines, places);
}
WITH512 void outOf512(const float *in, int ahead, float bias, float least, float *lines, int places) {
    outOfTiles<16>(in, ahead, bias, least, lines, places);
}
#endif

// wayWith is the best way with vectors of at most so many bits; one without sums where there is none.
static Way wayWith(int bits) {
#ifdef __x86_64__
    if (bits >= 512 && __builtin_cpu_supports("avx512f"))
        return {sums512, 16, 8, into512, outOf512};
    if (bits >= 256 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {sums256, 8, 4, into256, outOf256};
#endif
    return {};
}
