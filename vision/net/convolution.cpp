// OpenCV's layer "Convolution", faster than OpenCV 4.6 has it. That gathers what every output sees,
// number by number, and so spends a third of its time on copying. Here a strip of the input is
// copied once, with zeros around: rows lie one after another, the zeros to the right of one being those to the
// left of the next, so that each weight sees the strip shifted by an offset of its own, and whole vectors
// of outputs are summed in registers (sums.h). What falls on the zeros between rows is thrown away.
// Those that see 3 by 3 are summed in tiles (tiles.h), with less than half the products.

#include <algorithm>
#include <cfloat>
#include <cstring>
#include <vector>

#include <opencv2/dnn.hpp>
#include <opencv2/dnn/all_layers.hpp>
#include <opencv2/dnn/layer.hpp>

#include "sums.h"

namespace {

using cv::dnn::LayerParams;

const int stripFloats = 40 << 10; // of input that are copied at a time, so that they stay in the core's own memory
const int leastStrips = 4;        // of all pictures together: there are several cores
const int slack = mostAcross * mostWide;
const int stripTiles = 80 << 10; // the same in tiles
const int mostPlaces = 144;      // of a strip of tiles
const int leastPlaces = 24;      // of a map that is worth it
const int leastChannels = 8;     // and of its input

Way way; // of layers yet to be made

struct Pair {
    int y, x;
};

Pair pairOf(const LayerParams &p, const char *name, int otherwise, int from = 0) {
    if (!p.has(name))
        return {otherwise, otherwise};
    const cv::dnn::DictValue &v = p.get(name);
    return {v.get<int>(from), v.get<int>(from + 1)};
}

// Columns are the numbers of a row that show the picture, and where in the picture's row the first is.
struct Columns {
    int from, end, first;
};

// copyEvery copies n numbers, `stride` apart, known beforehand if it is 1 or 2: four at a time, the last
// four perhaps in part once more.
template <int known>
void copyEvery(const float *in, float *to, int n, int stride) {
    typedef float Four __attribute__((vector_size(16), aligned(4), may_alias));
    typedef int Which __attribute__((vector_size(16)));
    if (known == 0 || n < 4) {
        for (int i = 0; i < n; i++)
            to[i] = in[stride * i];
        return;
    }
    for (int i = 0; i < n; i += 4) {
        i = std::min(i, n - 4);
        const Four a = *(const Four *)(in + known * i);
        if (known == 1)
            *(Four *)(to + i) = a;
        else
            *(Four *)(to + i) = __builtin_shuffle(a, *(const Four *)(in + known * i + 3), Which{0, 2, 5, 7});
    }
}

class Convolution : public cv::dnn::Layer {
protected:
    Pair kernel, stride, dilation, before, after; // zeros before and after the picture
    int channels, inChannels;
    float least = -FLT_MAX; // 0 where negative outputs are cut
    Way way;
    std::vector<float> weights, bias; // weights by blocks of channels that are summed together

    // Of the input at hand, whose every so many-th row and column are a plane of their own.
    Pair every;
    int wide, high, outWide, outHigh;
    int row, rows, strip; // floats in a plane's row, rows of it; rows of the output (or of tiles) that it makes
    std::vector<int> offsets;
    std::vector<Columns> columns;

public:
    // fits says whether a layer is one that networks of pictures have, and known in full.
    static bool fits(const LayerParams &p) {
        auto isPair = [&](const char *name, int size) { return !p.has(name) || p.get(name).size() == size; };
        return p.blobs.size() == 2 && p.blobs[0].dims == 4 && p.blobs[0].type() == CV_32F && p.blobs[0].isContinuous() &&
               p.blobs[1].type() == CV_32F && p.get<int>("group", 1) == 1 && !p.has("pad_mode") && p.has("kernel_size") &&
               isPair("kernel_size", 2) && isPair("stride", 2) && isPair("dilation", 2) && isPair("pad", 4);
    }

    Convolution(const LayerParams &p, Way w) : Layer(p), way(w) {
        kernel = pairOf(p, "kernel_size", 1);
        stride = pairOf(p, "stride", 1);
        dilation = pairOf(p, "dilation", 1);
        before = pairOf(p, "pad", 0);
        after = pairOf(p, "pad", 0, 2);
        channels = blobs[0].size[0], inChannels = blobs[0].size[1];
        bias.assign(blobs[1].ptr<float>(), blobs[1].ptr<float>() + channels);
        const int terms = (int)blobs[0].total() / channels;
        const float *from = blobs[0].ptr<float>();
        weights.reserve(blobs[0].total());
        for (int c = 0; c < channels; c += block(c))
            for (int k = 0; k < terms; k++)
                for (int i = c; i < c + block(c); i++)
                    weights.push_back(from[i * terms + k]);
        blobs.clear();
    }

    // block is how many channels from the given one on are summed together; all blocks are about as large.
    int block(int from) const {
        const int blocks = (channels + way.channels - 1) / way.channels;
        const int small = channels / blocks, larger = channels % blocks; // so many have one more
        return from < larger * (small + 1) ? small + 1 : small;
    }

    bool setActivation(const cv::Ptr<cv::dnn::ActivationLayer> &layer) override {
        auto relu = layer.dynamicCast<cv::dnn::ReLULayer>();
        const bool cut = relu && relu->negativeSlope == 0;
        least = cut ? 0 : -FLT_MAX;
        return cut;
    }

    bool getMemoryShapes(const std::vector<cv::dnn::MatShape> &in, int, std::vector<cv::dnn::MatShape> &out,
                         std::vector<cv::dnn::MatShape> &) const override {
        CV_Assert(in.size() == 1 && in[0].size() == 4 && in[0][1] == inChannels);
        auto size = [](int in, int more, int reach, int stride) {
            return in == 0 ? 0 : (in + more - reach) / stride + 1; // 0: not known yet, as the network is read
        };
        out.assign(1, {in[0][0], channels, size(in[0][2], before.y + after.y, dilation.y * (kernel.y - 1) + 1, stride.y),
                       size(in[0][3], before.x + after.x, dilation.x * (kernel.x - 1) + 1, stride.x)});
        return false;
    }

    void finalize(cv::InputArrayOfArrays ins, cv::OutputArrayOfArrays outs) override {
        std::vector<cv::Mat> in, out;
        ins.getMatVector(in);
        outs.getMatVector(out);
        high = in[0].size[2], wide = in[0].size[3];
        outHigh = out[0].size[2], outWide = out[0].size[3];
        layOut(in[0].size[0]);
    }

    // layOut says how the input, so many pictures, is copied.
    virtual void layOut(int pictures) {
        every = stride;
        row = outWide + (kernel.x - 1) * dilation.x / stride.x;
        if (stride.x == 1) // a row's last zeros are the next one's first
            row -= std::min(before.x, after.x);
        const int more = (kernel.y - 1) * dilation.y / stride.y;
        strip = std::max(1, stripFloats / (row * inChannels * stride.y * stride.x) - more);
        const int strips = std::max((outHigh + strip - 1) / strip, leastStrips / pictures);
        strip = std::max(1, (outHigh + strips - 1) / strips);
        rows = strip + more;
        findColumns();
        offsets.clear();
        for (int c = 0; c < inChannels; c++)
            for (int y = 0; y < kernel.y * dilation.y; y += dilation.y)
                for (int x = 0; x < kernel.x * dilation.x; x += dilation.x) {
                    const int plane = (c * stride.y + y % stride.y) * stride.x + x % stride.x;
                    offsets.push_back((plane * rows + y / stride.y) * row + x / stride.x);
                }
    }

    void forward(cv::InputArrayOfArrays ins, cv::OutputArrayOfArrays outs, cv::OutputArrayOfArrays) override {
        const int strips = (outHigh + strip - 1) / strip;
        inParallel(ins, outs, strips, [&](const cv::Mat &in, cv::Mat &out, const cv::Range &some) {
            // On the stack: what lives on in every thread keeps its memory from being given back.
            cv::AutoBuffer<float, stripFloats + slack> copy(inChannels * stride.y * stride.x * rows * row + slack);
            for (int i = some.start; i < some.end; i++) {
                const int n = i / strips, y = i % strips * strip;
                copyStrip(in.ptr<float>(n), y, copy.data());
                sumStrip(copy.data(), out.ptr<float>(n) + y * outWide, std::min(strip, outHigh - y));
            }
        });
    }

protected:
    // inParallel has the strips of all pictures made, some by each thread.
    template <class Make>
    static void inParallel(cv::InputArrayOfArrays ins, cv::OutputArrayOfArrays outs, int strips, Make make) {
        std::vector<cv::Mat> in, out;
        ins.getMatVector(in);
        outs.getMatVector(out);
        CV_Assert(in[0].isContinuous() && out[0].isContinuous());
        cv::parallel_for_(cv::Range(0, in[0].size[0] * strips), [&](const cv::Range &some) { make(in[0], out[0], some); });
    }

    void findColumns() {
        columns.clear();
        for (int px = 0; px < every.x; px++)
            columns.push_back(columnsOf(px));
    }

    // copyStrip copies what the output's rows from y0 on are made of, channel by channel, plane by plane.
    void copyStrip(const float *in, int y0, float *to) const {
        for (int c = 0; c < inChannels; c++, in += high * wide)
            for (int py = 0; py < every.y; py++)
                for (int px = 0; px < every.x; px++)
                    for (int r = 0; r < rows; r++, to += row) {
                        const int y = (y0 + r) * every.y + py - before.y;
                        if (y < 0 || y >= high)
                            std::fill_n(to, row, 0.f);
                        else
                            copyRow(in + y * wide, columns[px], to);
                    }
        std::fill_n(to, slack, 0.f);
    }

    // columnsOf tells which numbers of a plane's row are the picture's: every so many-th.
    Columns columnsOf(int px) const {
        const int first = px - before.x; // where the row's first number would be from
        const int from = std::min(row, std::max(0, (every.x - 1 - first) / every.x));
        return {from, std::max(from, std::min(row, (wide - 1 - first) / every.x + 1)), first + from * every.x};
    }

    void copyRow(const float *in, const Columns &c, float *to) const {
        for (int i = 0; i < c.from; i++)
            to[i] = 0;
        if (every.x == 1)
            copyEvery<1>(in + c.first, to + c.from, c.end - c.from, 1);
        else if (every.x == 2)
            copyEvery<2>(in + c.first, to + c.from, c.end - c.from, 2);
        else
            copyEvery<0>(in + c.first, to + c.from, c.end - c.from, every.x);
        for (int i = c.end; i < row; i++)
            to[i] = 0;
    }

    // sumStrip makes so many rows of the output.
    void sumStrip(const float *in, float *out, int many) const {
        const int places = (many - 1) * row + outWide, plane = outHigh * outWide;
        float tile[mostChannels * slack];
        Sums s = {in, nullptr, nullptr, offsets.data(), (int)offsets.size(), least, nullptr, 0};
        for (int at = 0; at < places;) {
            const int across = std::min<int>(mostAcross, (places - at + way.wide - 1) / way.wide), some = across * way.wide;
            const int x = at % row;
            const bool inRow = x + some <= outWide;
            float *to = out + at / row * outWide + x;
            s.in = in + at, s.weights = weights.data();
            for (int c = 0, n; c < channels; c += n, s.weights += n * s.terms, to += n * plane) {
                n = block(c);
                s.bias = &bias[c], s.out = inRow ? to : tile, s.ahead = inRow ? plane : slack;
                way.sums(s, n, across);
                if (!inRow)
                    spread(tile, to, n, x, std::min(some, places - at));
            }
            at += some;
        }
    }

    // spread copies sums of n channels, from column x on, without those on the zeros between rows.
    void spread(const float *tile, float *out, int n, int x, int some) const {
        for (int from = 0; from < some;) {
            const int take = std::min(outWide - x, some - from);
            for (int c = 0; take > 0 && c < n; c++)
                std::memcpy(out + c * outHigh * outWide, tile + c * slack + from, take * sizeof(float));
            from += row - x, out += outWide - x, x = 0;
        }
    }
};

// Tiled is a convolution of 3 by 3 in tiles of 2 by 2 outputs, where the maps are not too small for it.
class Tiled : public Convolution {
    std::vector<float> changed; // weights: by blocks of channels, of each the 16 numbers of a tile
    bool tiled;
    int tilesHigh, ahead; // places of a strip, filled up to whole vectors

public:
    static bool fits(const LayerParams &p) {
        const Pair kernel = pairOf(p, "kernel_size", 1), stride = pairOf(p, "stride", 1), dilation = pairOf(p, "dilation", 1);
        return kernel.y == 3 && kernel.x == 3 && stride.y == 1 && stride.x == 1 && dilation.y == 1 && dilation.x == 1 &&
               p.blobs[0].size[1] >= leastChannels;
    }

    Tiled(const LayerParams &p, Way w) : Convolution(p, w) {
        std::vector<float> tile(tileSize * weights.size() / 9);
        const float *from = weights.data(); // by blocks, input channels, the 9 places, channels
        for (int c = 0, n; c < channels; c += n) {
            n = block(c);
            for (int k = 0; k < inChannels; k++, from += 9 * n)
                for (int i = 0; i < n; i++)
                    changeWeights(from + i, n, &tile[(c * tileSize * inChannels) + k * n + i], n * inChannels);
        }
        changed.swap(tile);
    }

    void layOut(int pictures) override {
        tilesHigh = (outHigh + 1) / 2;
        const int tilesWide = (outWide + 1) / 2;
        tiled = tilesHigh * (tilesWide + 1) >= leastPlaces;
        if (!tiled)
            return Convolution::layOut(pictures);
        every = {2, 2};
        row = tilesWide + 1;
        strip = std::max(1, std::min(int(mostPlaces), stripTiles / (tileSize * inChannels)) / row);
        const int strips = std::max((tilesHigh + strip - 1) / strip, (2 + pictures - 1) / pictures);
        strip = (tilesHigh + strips - 1) / strips;
        rows = strip + 1;
        ahead = ((strip * row - 1) + way.wide - 1) / way.wide * way.wide;
        findColumns();
        offsets.clear();
        for (int k = 0; k < inChannels; k++)
            offsets.push_back(k * ahead);
    }

    void forward(cv::InputArrayOfArrays ins, cv::OutputArrayOfArrays outs, cv::OutputArrayOfArrays internals) override {
        if (!tiled)
            return Convolution::forward(ins, outs, internals);
        const int strips = (tilesHigh + strip - 1) / strip;
        inParallel(ins, outs, strips, [&](const cv::Mat &in, cv::Mat &out, const cv::Range &some) {
            cv::AutoBuffer<float, stripFloats + slack> copy(inChannels * 4 * rows * row + slack);
            cv::AutoBuffer<float, stripTiles> tiles(tileSize * inChannels * ahead);
            for (int i = some.start; i < some.end; i++) {
                const int n = i / strips, y = i % strips * strip;
                copyStrip(in.ptr<float>(n), y, copy.data());
                for (int c = 0; c < inChannels; c++)
                    way.into(copy.data() + 4 * c * rows * row, rows * row, row, tiles.data() + c * ahead, inChannels * ahead, ahead);
                sumTiles(tiles.data(), out.ptr<float>(n), y);
            }
        });
    }

private:
    // lace lays a row's even and odd columns side by side.
    void lace(const float *even, int apart, float *to) const {
        const float *odd = even + apart;
        for (int x = 0; x < outWide / 2; x++)
            to[2 * x] = even[x], to[2 * x + 1] = odd[x];
        if (outWide % 2)
            to[outWide - 1] = even[outWide / 2];
    }

    // sumTiles makes the output's rows from tile row y on.
    void sumTiles(const float *tiles, float *out, int y) const {
        cv::AutoBuffer<float, (tileSize * mostChannels + 4) * mostPlaces> sums((tileSize * mostChannels + 4) * ahead);
        const float none[mostChannels] = {};
        float *lines = sums.data() + tileSize * mostChannels * ahead;
        Sums s = {nullptr, changed.data(), none, offsets.data(), inChannels, -FLT_MAX, nullptr, ahead};
        for (int c = 0, n; c < channels; c += n) {
            n = block(c);
            for (int k = 0; k < tileSize; k++, s.weights += n * inChannels)
                for (int at = 0; at < ahead; at += mostAcross * way.wide) {
                    s.in = tiles + k * inChannels * ahead + at, s.out = sums.data() + k * n * ahead + at;
                    way.sums(s, n, std::min<int>(mostAcross, (ahead - at) / way.wide));
                }
            for (int i = 0; i < n; i++) {
                way.outOf(sums.data() + i * ahead, n * ahead, bias[c + i], least, lines, ahead);
                float *to = out + (c + i) * outHigh * outWide;
                for (int r = 2 * y; r < std::min(2 * (y + strip), outHigh); r++)
                    lace(lines + r % 2 * 2 * ahead + (r / 2 - y) * row, ahead, to + r * outWide);
            }
        }
    }
};

cv::Ptr<cv::dnn::Layer> make(LayerParams &p) {
    if (Convolution::fits(p) && Tiled::fits(p))
        return cv::makePtr<Tiled>(p, way);
    if (Convolution::fits(p))
        return cv::makePtr<Convolution>(p, way);
    return cv::dnn::ConvolutionLayer::create(p);
}

bool inUse; // by networks yet to be read

} // namespace

// leaveConvolution has them use OpenCV's own again.
extern "C" void leaveConvolution() {
    if (inUse)
        cv::dnn::LayerFactory::unregisterLayer("Convolution");
    inUse = false;
}

// useConvolution has networks that are read from now on use this layer, with vectors of at most so
// many bits. It returns false where OpenCV's own is as good.
extern "C" bool useConvolution(int bits) {
    leaveConvolution();
#if CV_VERSION_MAJOR == 4 && CV_VERSION_MINOR <= 6 // later ones have a faster one themselves
    way = wayWith(bits);
#endif
    if (!way.sums)
        return false;
    cv::dnn::LayerFactory::registerLayer("Convolution", make);
    return inUse = true;
}
