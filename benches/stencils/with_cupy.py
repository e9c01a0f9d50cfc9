"""CUDA kernels written by hand, one thread per cell."""

import cupy
import numpy

from . import Missing, edge_factors

SOURCE = r"""
struct Grid { int width, height; float keep, smoothing, diagonal; };

__device__ float gain(const float* q, int x, int y, Grid g) {
    const size_t n = (size_t)g.width * g.height, i = (size_t)y * g.width + x;
    float value = -q[i] - q[n + i] - q[2 * n + i] - q[3 * n + i];
    if (x > 0) value += q[i - 1];
    if (y > 0) {
        value += q[n + i - g.width];
        if (x > 0) value += q[2 * n + i - g.width - 1];
        if (x < g.width - 1) value += q[3 * n + i - g.width + 1];
    }
    return value;
}

#define CELL                                                                \
    const Grid g = {width, height, keep, smoothing, diagonal};              \
    const int x = blockIdx.x * blockDim.x + threadIdx.x;                    \
    const int y = blockIdx.y * blockDim.y + threadIdx.y;                    \
    if (x >= g.width || y >= g.height) return;                              \
    const size_t n = (size_t)g.width * g.height, i = (size_t)y * g.width + x;

#define GRID int width, int height, float keep, float smoothing, float diagonal

extern "C" __global__ void find_head(const float* water, const float* ground, const float* q, float* head, GRID) {
    CELL
    head[i] = water[i] + ground[i] + g.smoothing * gain(q, x, y, g);
}

extern "C" __global__ void accelerate(const float* head, const float* rows, const float* columns, float* q, GRID) {
    CELL
    const float here = head[i];
    const bool right = x < g.width - 1, left = x > 0;
    if (right) q[i] = g.keep * q[i] + rows[y] * (here - head[i + 1]);
    if (y < g.height - 1) {
        const size_t up = i + g.width;
        q[n + i] = g.keep * q[n + i] + columns[x] * (here - head[up]);
        if (right) q[2 * n + i] = g.keep * q[2 * n + i] + g.diagonal * (here - head[up + 1]);
        if (left) q[3 * n + i] = g.keep * q[3 * n + i] + g.diagonal * (here - head[up - 1]);
    }
}

extern "C" __global__ void find_share(const float* water, const float* q, float* share, GRID) {
    CELL
    float out = fmaxf(q[i], 0.f) + fmaxf(q[n + i], 0.f) + fmaxf(q[2 * n + i], 0.f) + fmaxf(q[3 * n + i], 0.f);
    if (x > 0) out -= fminf(q[i - 1], 0.f);
    if (y > 0) {
        out -= fminf(q[n + i - g.width], 0.f);
        if (x > 0) out -= fminf(q[2 * n + i - g.width - 1], 0.f);
        if (x < g.width - 1) out -= fminf(q[3 * n + i - g.width + 1], 0.f);
    }
    share[i] = out > water[i] ? water[i] / out : 1.f;
}

extern "C" __global__ void limit(const float* share, float* q, GRID) {
    CELL
    const int ends[4] = {1, g.width, g.width + 1, g.width - 1};
    for (int p = 0; p < 4; p++) {
        const float v = q[p * n + i];
        // A closed pipe's flow is 0 and asks for no neighbour.
        if (v != 0.f) q[p * n + i] = v * share[v < 0.f ? i + ends[p] : i];
    }
}

extern "C" __global__ void move(const float* q, float* water, GRID) {
    CELL
    water[i] += gain(q, x, y, g);
}
"""

BLOCK = (32, 8)


class Cupy:
    version = cupy.__version__

    def __init__(self, scene, constants):
        try:
            properties = cupy.cuda.runtime.getDeviceProperties(0)
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise Missing("CuPy finds no GPU") from error
        self.device = properties["name"].decode()
        _, height, width = scene.shape
        self.scene = scene
        module = cupy.RawModule(code=SOURCE)
        self.kernels = {n: module.get_function(n) for n in ("find_head", "accelerate", "find_share", "limit", "move")}
        f = numpy.float32
        self.grid = (numpy.int32(width), numpy.int32(height))
        self.grid += tuple(f(constants[name]) for name in ("keep", "smoothing", "diagonal"))
        self.blocks = (-(-width // BLOCK[0]), -(-height // BLOCK[1]))
        self.rows, self.columns = (cupy.asarray(edge_factors(n, constants["cross"])) for n in (height, width))
        self.ground = cupy.asarray(scene[0])
        self.head, self.share = cupy.zeros_like(self.ground), cupy.zeros_like(self.ground)
        self.reset()

    def reset(self):
        self.water, self.flow = cupy.asarray(self.scene[1]), cupy.asarray(self.scene[2:])

    def state(self):
        return numpy.concatenate([cupy.asnumpy(self.water)[None], cupy.asnumpy(self.flow)])

    def call(self, name, *planes):
        self.kernels[name](self.blocks, BLOCK, planes + self.grid)

    def run(self, steps):
        for _ in range(steps):
            self.call("find_head", self.water, self.ground, self.flow, self.head)
            self.call("accelerate", self.head, self.rows, self.columns, self.flow)
            self.call("find_share", self.water, self.flow, self.share)
            self.call("limit", self.share, self.flow)
            self.call("move", self.flow, self.water)
        cupy.cuda.runtime.deviceSynchronize()
