// Draws tables with dice by tracing rays: distance fields of rounded cubes and of what else lies on game tables
// (Hart 1996, sphere tracing), one light with soft shadows, a window that shines in what is glossy. The same source
// is compiled with nvcc for a graphics card and with g++ for the processor. Layout of the numbers: drawn.py.
#include <math.h>
#include <stdint.h>
#ifdef __CUDACC__
#define FN __device__ static inline
#else
#define FN static inline
#endif

struct V { float x, y, z; };
FN V v3(float x, float y, float z) { V r = {x, y, z}; return r; }
FN V operator+(V a, V b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
FN V operator-(V a, V b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
FN V operator*(V a, V b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
FN V operator*(V a, float k) { return v3(a.x * k, a.y * k, a.z * k); }
FN float dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
FN float len(V a) { return sqrtf(dot(a, a)); }
FN V unit(V a) { return a * (1.0f / fmaxf(len(a), 1e-9f)); }
FN V cross(V a, V b) { return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
FN V vabs(V a) { return v3(fabsf(a.x), fabsf(a.y), fabsf(a.z)); }
FN V mix(V a, V b, float k) { return a * (1 - k) + b * k; }
FN float clampf(float x, float a, float b) { return fminf(fmaxf(x, a), b); }
FN float smooth(float a, float b, float x) { float t = clampf((x - a) / (b - a), 0, 1); return t * t * (3 - 2 * t); }

FN uint32_t hash(uint32_t x) { x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; x ^= x >> 16; return x; }
FN float rnd(uint32_t &s) { s = hash(s + 0x9e3779b9U); return (s >> 8) * (1.0f / 16777216.0f); }

FN float lattice(int x, int y, int z, uint32_t seed) { return (hash(x * 73856093u ^ y * 19349663u ^ z * 83492791u ^ seed) >> 8) * (1.0f / 16777216.0f); }
FN float noise(V p, uint32_t seed) {
    float fx = floorf(p.x), fy = floorf(p.y), fz = floorf(p.z);
    int x = (int)fx, y = (int)fy, z = (int)fz;
    float u = p.x - fx, v = p.y - fy, w = p.z - fz, sum = 0;
    u = u * u * (3 - 2 * u); v = v * v * (3 - 2 * v); w = w * w * (3 - 2 * w);
    for (int i = 0; i < 8; i++)
        sum += lattice(x + (i & 1), y + ((i >> 1) & 1), z + (i >> 2), seed) * (i & 1 ? u : 1 - u) * (i & 2 ? v : 1 - v) * (i & 4 ? w : 1 - w);
    return sum;
}
FN float clouds(V p, uint32_t seed) { return 0.55f * noise(p, seed) + 0.3f * noise(p * 2.1f, seed + 1) + 0.15f * noise(p * 4.3f, seed + 2); }

enum { DIE, DISC, BOX, OCTAHEDRON, ICOSAHEDRON, DODECAHEDRON, HOUSE, ROD, BALL, PAWN };
enum { SCENE = 64, OBJECT = 48, TEXTURE = 512, PRINT = 96 };

// One thing in its own coordinates, as drawn.py lays the numbers out.
FN float far_from(const float *o, V p) {
    V h = v3(o[13], o[14], o[15]), q = vabs(p);
    float r = o[16];
    switch ((int)o[0]) {
    case DIE: case BOX: {
        V e = v3(q.x - h.x + r, q.y - h.y + r, q.z - h.z + r);
        V out = v3(fmaxf(e.x, 0), fmaxf(e.y, 0), fmaxf(e.z, 0));
        float d = len(out) + fminf(fmaxf(e.x, fmaxf(e.y, e.z)), 0) - r;
        return o[17] > 0 ? fmaxf(d, len(p) - o[17]) : d;
    }
    case DISC: {
        float a = sqrtf(p.x * p.x + p.y * p.y) - h.x + r, b = q.z - h.z + r;
        return sqrtf(fmaxf(a, 0) * fmaxf(a, 0) + fmaxf(b, 0) * fmaxf(b, 0)) + fminf(fmaxf(a, b), 0) - r;
    }
    case OCTAHEDRON: return (q.x + q.y + q.z) * 0.57735f - h.x;
    case ICOSAHEDRON: {
        float d = (q.x + q.y + q.z) * 0.57735f;
        d = fmaxf(d, 0.35682f * q.y + 0.93417f * q.z);
        d = fmaxf(d, 0.35682f * q.z + 0.93417f * q.x);
        d = fmaxf(d, 0.35682f * q.x + 0.93417f * q.y);
        return d - h.x;
    }
    case DODECAHEDRON: {
        float d = 0.52573f * q.y + 0.85065f * q.z;
        d = fmaxf(d, 0.52573f * q.z + 0.85065f * q.x);
        d = fmaxf(d, 0.52573f * q.x + 0.85065f * q.y);
        return d - h.x;
    }
    case HOUSE: return fmaxf(fmaxf(q.y - h.y, fmaxf(q.x - h.x, -h.z - p.z)), 0.70711f * (q.x + p.z) - 0.70711f * h.z);
    case ROD: {
        float t = clampf(p.x, -h.x, h.x);
        return len(v3(p.x - t, p.y, p.z)) - h.y;
    }
    case PAWN: {
        float ball = len(v3(p.x, p.y, p.z - h.z * 0.65f)) - h.x * 0.55f;
        float cone = 0.9f * (sqrtf(p.x * p.x + p.y * p.y) - h.x * clampf(0.55f - 0.5f * p.z / h.z, 0.2f, 1));
        return fminf(ball, fmaxf(cone, fmaxf(-h.z - p.z, p.z - h.z * 0.6f)));
    }
    default: {
        V s = v3(p.x / h.x, p.y / h.y, p.z / h.z);
        return (len(s) - 1) * fminf(h.x, fminf(h.y, h.z));
    }
    }
}

FN V local(const float *o, V p) { V d = p - v3(o[1], o[2], o[3]); return v3(o[4] * d.x + o[5] * d.y + o[6] * d.z, o[7] * d.x + o[8] * d.y + o[9] * d.z, o[10] * d.x + o[11] * d.y + o[12] * d.z); }
FN V local_dir(const float *o, V d) { return v3(o[4] * d.x + o[5] * d.y + o[6] * d.z, o[7] * d.x + o[8] * d.y + o[9] * d.z, o[10] * d.x + o[11] * d.y + o[12] * d.z); }
FN V world_dir(const float *o, V d) { return v3(o[4] * d.x + o[7] * d.y + o[10] * d.z, o[5] * d.x + o[8] * d.y + o[11] * d.z, o[6] * d.x + o[9] * d.y + o[12] * d.z); }

// Along a ray to one thing: how far, or -1.
FN float trace(const float *o, V from, V dir, float most) {
    V c = v3(o[1], o[2], o[3]) - from;
    float b = dot(c, dir), r = o[39], d = dot(c, c) - b * b;
    if (d > r * r) return -1;
    float half = sqrtf(r * r - d), t = fmaxf(b - half, 1e-3f), end = fminf(b + half, most);
    V p = local(o, from), q = local_dir(o, dir);
    for (int i = 0; i < 40 && t < end; i++) {
        float s = far_from(o, p + q * t);
        if (s < 8e-4f) return t;
        t += s;
    }
    return -1;
}

FN int first(const float *objects, int n, V from, V dir, float &t) {
    int best = -1;
    for (int i = 0; i < n; i++) {
        float s = trace(objects + i * OBJECT, from, dir, t);
        if (s > 0 && s < t) { t = s; best = i; }
    }
    return best;
}

FN V normal(const float *o, V p) {
    const float e = 2e-3f;
    V a = v3(e, -e, -e), b = v3(-e, -e, e), c = v3(-e, e, -e), d = v3(e, e, e);
    return unit(unit(a) * far_from(o, p + a) + unit(b) * far_from(o, p + b) + unit(c) * far_from(o, p + c) + unit(d) * far_from(o, p + d));
}

FN V texel(const uint8_t *img, int n, float u, float v) { // wraps by mirroring
    u = fabsf(fmodf(fabsf(u), 2.0f * n) - n) - 0.5f; v = fabsf(fmodf(fabsf(v), 2.0f * n) - n) - 0.5f;
    u = clampf(u, 0, n - 1.001f); v = clampf(v, 0, n - 1.001f);
    int x = (int)u, y = (int)v;
    float a = u - x, b = v - y;
    V sum = v3(0, 0, 0);
    for (int i = 0; i < 4; i++) {
        const uint8_t *t = img + 3 * ((y + (i >> 1)) * n + x + (i & 1));
        sum = sum + v3(t[0], t[1], t[2]) * ((i & 1 ? a : 1 - a) * (i >> 1 ? b : 1 - b));
    }
    sum = sum * (1.0f / 255);
    return sum * sum; // linear light, nearly
}

// Where a face's pips are; 1 where there is one, soft at its edge. off: from the nearest pip's middle, over its radius.
FN float pips(int value, int turn, float u, float v, float r, float spread, float one, float soft, int shape, float *ou, float *ov) {
    if (turn) { float t = u; u = v; v = -t; }
    float best = 1e9f, rr = value == 1 ? r * one : r;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            bool there = false;
            if (i == 0 && j == 0) there = value & 1;
            else if (i == j) there = value >= 2;
            else if (i == -j) there = value >= 4;
            else if (j == 0) there = value == 6;
            if (!there) continue;
            float a = u - i * spread, b = v - j * spread;
            float d = shape == 1 ? fmaxf(fabsf(a), fabsf(b)) * 1.12f : shape == 2 ? fabsf(a) + fabsf(b) : sqrtf(a * a + b * b);
            if (d < best) { best = d; *ou = a / rr; *ov = b / rr; }
        }
    float k = 1 - smooth(rr - soft, rr + soft, best);
    if (shape == 3) k *= smooth(0.45f * rr - soft, 0.45f * rr + soft, best); // rings
    return k;
}

FN V sky(const float *s, V d) {
    V c = v3(s[23], s[24], s[25]) * (0.55f + 0.45f * d.z);
    V w = v3(s[29], s[30], s[31]), a = unit(cross(v3(0.05f, 0.1f, 1), w)), b = cross(w, a);
    float f = dot(d, w);
    if (f > 0.1f && fabsf(dot(d, a) / f) < s[32] && fabsf(dot(d, b) / f) < s[33]) c = c + v3(s[20], s[21], s[22]) * s[34];
    return c;
}

FN V ground(const float *s, const uint8_t *textures, V p) {
    float u = s[36] * p.x + s[37] * p.y + s[38], v = s[39] * p.x + s[40] * p.y + s[41];
    bool on = u >= 0 && v >= 0 && u < TEXTURE && v < TEXTURE; // a board ends; the table goes on
    const uint8_t *img = textures + (size_t)(on ? s[35] : s[62]) * TEXTURE * TEXTURE * 3;
    V t = texel(img, TEXTURE, u, v);
    V c = v3(s[50] * t.x + s[51] * t.y + s[52] * t.z, s[53] * t.x + s[54] * t.y + s[55] * t.z, s[56] * t.x + s[57] * t.y + s[58] * t.z);
    return v3(clampf(c.x + s[59], 0.004f, 1), clampf(c.y + s[60], 0.004f, 1), clampf(c.z + s[61], 0.004f, 1));
}

struct Look { V paint; float gloss, shine; };

FN int face_of(V p, V h, int *axis) {
    float a = fabsf(p.x) / h.x, b = fabsf(p.y) / h.y, c = fabsf(p.z) / h.z;
    *axis = a > b && a > c ? 0 : b > c ? 1 : 2;
    float s = *axis == 0 ? p.x : *axis == 1 ? p.y : p.z;
    return *axis * 2 + (s < 0);
}
FN void on_face(V p, V h, int axis, float *u, float *v) {
    *u = axis == 0 ? p.y / h.y : p.x / h.x;
    *v = axis == 2 ? p.y / h.y : p.z / h.z;
}
FN int value_of(const float *o, int face) { int code = (int)o[37]; while (face--) code /= 7; return code % 7; }

// The body's own paint at a point inside or on it.
FN V body(const float *o, V p) {
    uint32_t seed = (uint32_t)o[26];
    float much = 0;
    V q = p * o[25];
    switch ((int)o[24]) {
    case 1: much = smooth(0.42f, 0.58f, clouds(q + v3(noise(q, seed + 7), noise(q, seed + 8), 0) * 2, seed)); break; // swirled
    case 2: much = noise(q * 6, seed) > 0.8f; break; // speckled
    case 3: { V g = v3(q.x * 0.5f, q.y * 4, q.z * 4); much = clouds(g, seed) * 0.9f; break; } // grained like wood
    case 4: much = 0.5f + 0.5f * sinf(9 * clouds(q, seed) + q.x); break; // pearl
    case 5: much = p.z > 0.05f * o[15] ? 1 : 0; break; // two halves
    }
    return mix(v3(o[18], o[19], o[20]), v3(o[21], o[22], o[23]), much);
}

// A face's marks: pips, or a number where the maker writes numbers (o[45]: the print of his one).
FN float marks(const float *o, const uint8_t *prints, int face, int axis, float u, float v, float soft, float *ou, float *ov) {
    int value = value_of(o, face), turn = ((int)o[38] >> face) & 1;
    if ((int)o[41] != 4) return pips(value, turn, u, v, o[30], o[31], o[33], soft, (int)o[41], ou, ov);
    if ((axis == 1) == (face & 1)) u = -u; // read from outside
    if (turn) { float t = u; u = v; v = -t; }
    u /= 0.75f; v /= 0.75f;
    *ou = *ov = 0;
    if (fmaxf(fabsf(u), fabsf(v)) > 0.97f) return 0;
    return texel(prints + (size_t)((int)o[45] + value - 1) * PRINT * PRINT * 3, PRINT, (u * 0.5f + 0.5f) * PRINT, (v * 0.5f + 0.5f) * PRINT).x;
}

FN Look look(const float *s, const float *o, const uint8_t *textures, const uint8_t *prints, V p, V &n, V in) {
    Look l = {body(o, p), o[34], o[35]};
    V h = v3(o[13], o[14], o[15]);
    int type = (int)o[0], axis;
    if (type == DIE) {
        int face = face_of(p, h, &axis);
        float u, v, ou = 0, ov = 0;
        on_face(p, h, axis, &u, &v);
        if (o[36] > 0) { // see-through: what is behind, by a straight line bent once
            V d = unit(in - n * (0.45f * dot(in, n)));
            float far = 1e9f;
            for (int a = 0; a < 3; a++) {
                float x = a == 0 ? p.x : a == 1 ? p.y : p.z, k = a == 0 ? d.x : a == 1 ? d.y : d.z, m = a == 0 ? h.x : a == 1 ? h.y : h.z;
                if (fabsf(k) > 1e-4f) far = fminf(far, ((k > 0 ? m : -m) - x) / k);
            }
            V e = p + d * far, w = world_dir(o, e) + v3(o[1], o[2], o[3]);
            V behind = ground(s, textures, w) * 0.8f;
            int ax, f = face_of(e, h, &ax);
            float uu, vv, a, b;
            on_face(e, h, ax, &uu, &vv);
            float k = marks(o, prints, f, ax, uu, vv, 0.05f, &a, &b);
            behind = mix(behind * l.paint * 1.6f, v3(o[27], o[28], o[29]) * 0.7f, 0.7f * k);
            l.paint = mix(l.paint, behind, o[36]);
        }
        float k = marks(o, prints, face, axis, u, v, 0.02f, &ou, &ov);
        float wear = o[42] > 0 ? smooth(o[42] - 0.2f, o[42] + 0.1f, noise(p * 9, (uint32_t)o[26] + 5)) : 1;
        if (k > 0) {
            l.paint = mix(l.paint, v3(o[27], o[28], o[29]), k * wear);
            float bend = o[32] * k; // a bowl: its wall leans to its middle
            V lean = axis == 0 ? v3(0, -ou, -ov) : axis == 1 ? v3(-ou, 0, -ov) : v3(-ou, -ov, 0);
            n = unit(n + lean * bend);
            l.gloss *= 1 - 0.5f * k;
        }
        if (o[43] > 0 && fmaxf(fabsf(u), fabsf(v)) > 0.82f && fmaxf(fabsf(u), fabsf(v)) < 0.9f) l.paint = mix(l.paint, v3(o[27], o[28], o[29]), o[43]); // a frame
    } else if (o[40] >= 0) {
        float u, v;
        if (type == DISC || type == BOX) {
            if (p.z < 0.8f * h.z) return l;
            float m = fmaxf(h.x, h.y);
            u = p.x / m; v = p.y / m;
        } else { // a number on each face of a polyhedron
            V a = unit(cross(n, fabsf(n.z) < 0.9f ? v3(0, 0, 1) : v3(1, 0, 0))), b = cross(n, a);
            u = dot(p, a) / (0.6f * h.x); v = dot(p, b) / (0.6f * h.x);
        }
        if (fabsf(u) > 0.98f || fabsf(v) > 0.98f) return l;
        int which = (int)o[40];
        if (type >= OCTAHEDRON) which += (int)(hash((int)floorf(n.x * 4 + 9.3f) * 81 + (int)floorf(n.y * 4 + 9.3f) * 9 + (int)floorf(n.z * 4 + 9.3f)) % 16);
        const uint8_t *img = prints + (size_t)which * PRINT * PRINT * 3;
        V t = texel(img, PRINT, (u * 0.5f + 0.5f) * PRINT, (v * 0.5f + 0.5f) * PRINT);
        if (o[44] > 0) l.paint = t; // the print as it is
        else l.paint = mix(l.paint, v3(o[27], o[28], o[29]), clampf(t.x, 0, 1)); // its red part is ink
    }
    return l;
}

// What one ray sees; which: the thing, or -1; up: whether it is the upper face of a die.
FN V shade(const float *s, const float *objects, const uint8_t *textures, const uint8_t *prints, V from, V dir, uint32_t &seed, int *which, int *up) {
    int n = (int)s[43];
    float t = 1e5f;
    int hit = first(objects, n, from, dir, t);
    float down = dir.z < -1e-4f ? -from.z / dir.z : 1e6f;
    *which = -1; *up = 0;
    V p, nn; Look l;
    if (hit >= 0 && t < down) {
        const float *o = objects + hit * OBJECT;
        p = from + dir * t;
        V q = local(o, p), ln = normal(o, q);
        l = look(s, o, textures, prints, q, ln, local_dir(o, dir));
        nn = world_dir(o, ln);
        *which = hit;
        *up = nn.z > 0.6f;
    } else if (down < 1e5f) {
        p = from + dir * down; nn = v3(0, 0, 1);
        l.paint = ground(s, textures, p); l.gloss = s[42]; l.shine = 20;
        hit = -1;
    } else return sky(s, dir);
    V key = v3(s[16], s[17], s[18]);
    float a = rnd(seed) * 6.28318f, r = s[19] * sqrtf(rnd(seed));
    V e = unit(cross(key, fabsf(key.x) < 0.9f ? v3(1, 0, 0) : v3(0, 1, 0))), f = cross(key, e);
    V light = unit(key + e * (r * cosf(a)) + f * (r * sinf(a)));
    float lit = dot(nn, light);
    if (lit > 0) { float far = 60; if (first(objects, n, p + nn * 0.02f, light, far) >= 0) lit = 0; } else lit = 0;
    float open = 1; // ambient occlusion by the bounding spheres of what is near
    for (int i = 0; i < n; i++) {
        if (i == hit) continue;
        const float *o = objects + i * OBJECT;
        V d = v3(o[1], o[2], o[3]) - p;
        float far = len(d), rr = 0.75f * o[39];
        if (far < 5 * rr) open *= 1 - 0.8f * fmaxf(0, dot(nn, d) / far * 0.6f + 0.4f) * fminf(1, rr * rr / (far * far + 0.3f * rr * rr));
    }
    if (hit >= 0) open *= 0.55f + 0.45f * smooth(-0.6f, 0.8f, nn.z + 0.4f * p.z); // darker near the table
    V around = v3(s[23], s[24], s[25]) * (0.5f + 0.5f * nn.z) + v3(s[26], s[27], s[28]) * (0.5f - 0.5f * nn.z);
    V c = l.paint * (around * open + v3(s[20], s[21], s[22]) * lit);
    V back = dir - nn * (2 * dot(dir, nn));
    if (l.gloss > 0) {
        float edge = powf(1 - clampf(-dot(dir, nn), 0, 1), 5);
        float shine = lit > 0 ? powf(fmaxf(0, dot(back, key)), l.shine) * l.shine * 0.06f : 0;
        c = c + (sky(s, back) * (0.04f + 0.6f * edge) * 2 + v3(s[20], s[21], s[22]) * shine) * (l.gloss * open);
    }
    return c;
}

// out: n x n pixels of red, green, blue in linear light; ids: how many of the rays saw each thing's upper face, by counts per thing.
FN void pixel(const float *s, const float *objects, const uint8_t *textures, const uint8_t *prints, int n, int rays, int x, int y, float *rgb, int *seen) {
    uint32_t seed = hash((uint32_t)s[44] ^ hash(y * n + x));
    V sum = v3(0, 0, 0);
    for (int i = 0; i < rays; i++) {
        float px = (x + rnd(seed) - n * 0.5f - s[13]) / s[12], py = (y + rnd(seed) - n * 0.5f - s[14]) / s[12];
        float k = 1 + s[15] * (px * px + py * py);
        px *= k; py *= k;
        V dir = unit(v3(s[3] * px + s[6] * py + s[9], s[4] * px + s[7] * py + s[10], s[5] * px + s[8] * py + s[11]));
        int which, up;
        V c = shade(s, objects, textures, prints, v3(s[0], s[1], s[2]), dir, seed, &which, &up);
        sum = sum + v3(fminf(c.x, 6), fminf(c.y, 6), fminf(c.z, 6));
        if (which >= 0 && up) {
#ifdef __CUDACC__
            atomicAdd(seen + which, 1);
#else
            seen[which]++;
#endif
        }
    }
    rgb[0] = sum.x / rays; rgb[1] = sum.y / rays; rgb[2] = sum.z / rays;
}

#ifdef __CUDACC__
extern "C" __global__ void draw(const float *scenes, const float *objects, int most, const uint8_t *textures, const uint8_t *prints, int n, int rays, float *out, int *seen) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, b = blockIdx.z;
    if (x < n && y < n)
        pixel(scenes + b * SCENE, objects + (size_t)b * most * OBJECT, textures, prints, n, rays, x, y, out + 3 * (((size_t)b * n + y) * n + x), seen + b * most);
}
#else
extern "C" void draw(const float *scenes, const float *objects, int most, const uint8_t *textures, const uint8_t *prints, int n, int rays, int count, float *out, int *seen) {
    for (int b = 0; b < count; b++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                pixel(scenes + b * SCENE, objects + (size_t)b * most * OBJECT, textures, prints, n, rays, x, y, out + 3 * (((size_t)b * n + y) * n + x), seen + b * most);
}
#endif
