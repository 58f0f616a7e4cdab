// A view of a picture made smaller, as a network wants it: by area means, as OpenCV has them, but on all cores
// and straight into the network's planes.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/core/hal/intrin.hpp>

#include "shrink.h"

namespace {

// Share is what a pixel gives to one that is made of several.
struct Share {
    int from;
    float weight;
};

// shares tells for each of `to` pixels which of `from` it is made of: those of pixel i lie from first[i] to first[i+1].
std::vector<Share> shares(int from, int to, std::vector<int> &first) {
    std::vector<Share> all;
    const double scale = (double)from / to;
    for (int i = 0; i < to; i++) {
        first.push_back((int)all.size());
        const double start = i * scale, end = std::min(start + scale, (double)from);
        for (int k = (int)start; k < end; k++) {
            const double part = std::min(end, k + 1.0) - std::max(start, (double)k);
            if (part > 1e-3)
                all.push_back({k, float(part / (end - start))});
        }
    }
    first.push_back((int)all.size());
    return all;
}

} // namespace

extern "C" void shrink(const unsigned char *from, const View *view, float *planes) {
    const View v = *view;
    std::vector<int> firstX, firstY;
    const std::vector<Share> xs = shares(v.width, v.toWidth, firstX), ys = shares(v.height, v.toHeight, firstY);
    const int plane = v.planeWidth * v.planeHeight;
    cv::parallel_for_(cv::Range(0, v.toHeight), [&](const cv::Range &some) {
        std::vector<float> line(3 * v.width + 1); // the rows' mean; a pixel is read as four numbers
        for (int y = some.start; y < some.end; y++) {
            std::fill(line.begin(), line.end(), 0.f);
            for (int k = firstY[y]; k < firstY[y + 1]; k++) {
                const unsigned char *in = from + ys[k].from * v.row;
                const float w = ys[k].weight;
                for (int i = 0; i < 3 * v.width; i++)
                    line[i] += w * in[i];
            }
            float *to = planes + y * v.planeWidth;
            for (int x = 0; x < v.toWidth; x++) {
                cv::v_float32x4 sum = cv::v_setzero_f32();
                for (int k = firstX[x]; k < firstX[x + 1]; k++)
                    sum += cv::v_load(&line[3 * xs[k].from]) * cv::v_setall_f32(xs[k].weight);
                float values[4];
                cv::v_store(values, cv::v_cvt_f32(cv::v_round(sum)) * cv::v_setall_f32(1 / 255.f));
                to[x] = values[2], to[plane + x] = values[1], to[2 * plane + x] = values[0];
            }
            for (int c = 0; c < 3; c++) // the border goes on
                std::fill(to + c * plane + v.toWidth, to + c * plane + v.planeWidth, to[c * plane + v.toWidth - 1]);
        }
    });
    for (int c = 0; c < 3; c++)
        for (int y = v.toHeight; y < v.planeHeight; y++) {
            float *to = planes + c * plane + y * v.planeWidth;
            std::memcpy(to, to - v.planeWidth, v.planeWidth * sizeof(float));
        }
}
