// Tiles of a convolution of 3 by 3: Winograd's minimal filtering F(2x2, 3x3), as Lavin and Gray have it (2015).
// A tile is 4 by 4 inputs, which lie in four planes, of even and odd rows and columns. It is changed to 16
// numbers; those times the changed weights, summed over the channels, are changed back to 2 by 2 outputs.

#pragma once

enum { tileSize = 16 };

// changeWeights changes the 9 weights of a pair of channels, `apart` numbers each from the next.
static inline void changeWeights(const float *from, int apart, float *to, int toApart) {
    double half[4][3];
    for (int x = 0; x < 3; x++) {
        const double a = from[x * apart], b = from[(3 + x) * apart], c = from[(6 + x) * apart];
        half[0][x] = a, half[1][x] = (a + b + c) / 2, half[2][x] = (a - b + c) / 2, half[3][x] = c;
    }
    for (int y = 0; y < 4; y++) {
        const double a = half[y][0], b = half[y][1], c = half[y][2];
        const double all[4] = {a, (a + b + c) / 2, (a - b + c) / 2, c};
        for (int x = 0; x < 4; x++)
            to[(4 * y + x) * toApart] = (float)all[x];
    }
}

// intoTiles changes so many places of a channel, whose planes are `plane` floats, their rows `row`.
template <int wide>
INSIDE void intoTiles(const float *in, int plane, int row, float *out, int ahead, int places) {
    typedef float Vector __attribute__((vector_size(wide * sizeof(float)), aligned(sizeof(float)), may_alias));
    for (int at = 0; at < places; at += wide) {
        Vector d[4][4];
#pragma GCC unroll 4
        for (int x = 0; x < 4; x++) {
            const float *i = in + x % 2 * plane + x / 2 + at;
            const Vector p = *(const Vector *)i, q = *(const Vector *)(i + 2 * plane), r = *(const Vector *)(i + row),
                         s = *(const Vector *)(i + 2 * plane + row);
            d[0][x] = p - r, d[1][x] = q + r, d[2][x] = r - q, d[3][x] = q - s;
        }
#pragma GCC unroll 4
        for (int y = 0; y < 4; y++) {
            float *to = out + 4 * y * ahead + at;
            *(Vector *)to = d[y][0] - d[y][2];
            *(Vector *)(to + ahead) = d[y][1] + d[y][2];
            *(Vector *)(to + 2 * ahead) = d[y][2] - d[y][1];
            *(Vector *)(to + 3 * ahead) = d[y][1] - d[y][3];
        }
    }
}

// outOfTiles changes sums back and adds the bias: four lines of so many places, of the upper row's even and odd columns, and the lower's.
template <int wide>
INSIDE void outOfTiles(const float *in, int ahead, float bias, float least, float *lines, int places) {
    typedef float Vector __attribute__((vector_size(wide * sizeof(float)), aligned(sizeof(float)), may_alias));
    const Vector floor = Vector{} + least;
    for (int at = 0; at < places; at += wide) {
        Vector a[2][4];
#pragma GCC unroll 4
        for (int x = 0; x < 4; x++) {
            const float *i = in + x * ahead + at;
            const Vector p = *(const Vector *)i, q = *(const Vector *)(i + 4 * ahead), r = *(const Vector *)(i + 8 * ahead),
                         s = *(const Vector *)(i + 12 * ahead);
            a[0][x] = p + q + r, a[1][x] = q - r - s;
        }
#pragma GCC unroll 2
        for (int y = 0; y < 2; y++) {
            Vector even = a[y][0] + a[y][1] + a[y][2] + bias, odd = a[y][1] - a[y][2] - a[y][3] + bias;
            even = even > floor ? even : floor, odd = odd > floor ? odd : floor;
            *(Vector *)(lines + 2 * y * places + at) = even;
            *(Vector *)(lines + (2 * y + 1) * places + at) = odd;
        }
    }
}
