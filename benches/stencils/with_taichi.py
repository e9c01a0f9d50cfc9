"""Taichi's own parallel loops over fields."""

import os

os.environ.setdefault("ENABLE_TAICHI_HEADER_PRINT", "0")

import numpy
import taichi as ti

from . import Missing, edge_factors


def device(gpu):
    """Starts Taichi anew, and returns the name of its device."""
    # Without Vulkan: it may be software, and Taichi does not tell.
    ti.init(arch=[ti.cuda, ti.metal] if gpu else ti.cpu, default_fp=ti.f32, log_level=ti.ERROR, offline_cache=False)
    arch = ti.lang.impl.current_cfg().arch
    if gpu and arch in (ti.x64, ti.arm64):
        raise Missing("Taichi finds no GPU")
    return f"GPU, {ti._lib.core.arch_name(arch)}" if gpu else "CPU"


class Fields:
    """A peer with the fields `water` and `flow`, whose `step` is a kernel."""

    version = ".".join(map(str, ti.__version__))

    def state(self):
        flow = numpy.moveaxis(self.flow.to_numpy(), -1, 0)
        return numpy.concatenate([self.water.to_numpy()[None], flow])

    def run(self, steps):
        for _ in range(steps):
            self.step()
        ti.sync()


def gain_of(flow, width):
    @ti.func
    def gain(y, x):
        """Inflow less outflow."""
        value = -flow[y, x].sum()
        if x > 0:
            value += flow[y, x - 1][0]
        if y > 0:
            value += flow[y - 1, x][1]
            if x > 0:
                value += flow[y - 1, x - 1][2]
            if x < width - 1:
                value += flow[y - 1, x + 1][3]
        return value

    return gain


def accelerate_of(flow, head, along, constants):
    """The flows out of a cell, by the differences of heads; the diagonals at the frame's edges stay 0."""
    (height, width), (along_rows, along_columns), (keep, diagonal) = head.shape, along, constants

    @ti.func
    def accelerate(y, x):
        here = head[y, x]
        if x < width - 1:
            flow[y, x][0] = keep * flow[y, x][0] + along_rows[y] * (here - head[y, x + 1])
        if y < height - 1:
            flow[y, x][1] = keep * flow[y, x][1] + along_columns[x] * (here - head[y + 1, x])
            if x < width - 1:
                flow[y, x][2] = keep * flow[y, x][2] + diagonal * (here - head[y + 1, x + 1])
            if x > 0:
                flow[y, x][3] = keep * flow[y, x][3] + diagonal * (here - head[y + 1, x - 1])

    return accelerate


class Taichi(Fields):
    def __init__(self, scene, constants, gpu):
        self.device = device(gpu)
        _, height, width = scene.shape
        self.scene = scene
        plane = lambda: ti.field(ti.f32, (height, width))
        self.ground, self.water, self.head, self.share = (plane() for _ in range(4))
        self.flow = ti.Vector.field(4, ti.f32, (height, width), layout=ti.Layout.SOA)
        self.along_rows, self.along_columns = ti.field(ti.f32, height), ti.field(ti.f32, width)
        self.along_rows.from_numpy(edge_factors(height, constants["cross"]))
        self.along_columns.from_numpy(edge_factors(width, constants["cross"]))
        self.keep, self.smoothing, self.diagonal = (constants[name] for name in ("keep", "smoothing", "diagonal"))
        self.step = self.kernel(height, width)
        self.reset()

    def reset(self):
        self.ground.from_numpy(self.scene[0])
        self.water.from_numpy(self.scene[1])
        self.flow.from_numpy(numpy.ascontiguousarray(numpy.moveaxis(self.scene[2:], 0, -1)))
        ti.sync()

    def kernel(self, height, width):
        ground, water, head, share, flow = self.ground, self.water, self.head, self.share, self.flow
        along_rows, along_columns = self.along_rows, self.along_columns
        keep, smoothing, diagonal = self.keep, self.smoothing, self.diagonal

        gain = gain_of(flow, width)
        accelerate = accelerate_of(flow, head, (along_rows, along_columns), (keep, diagonal))

        @ti.func
        def limited(y, x, p: ti.template(), dx: ti.template(), dy: ti.template()):
            q = flow[y, x][p]
            if q < 0:
                q *= share[y + dy, x + dx]
            else:
                q *= share[y, x]
            return q

        @ti.kernel
        def step():
            for y, x in head:
                head[y, x] = water[y, x] + ground[y, x] + smoothing * gain(y, x)
            for y, x in flow:
                accelerate(y, x)
            for y, x in share:
                out = ti.max(flow[y, x], 0.0).sum()
                if x > 0:
                    out -= ti.min(flow[y, x - 1][0], 0.0)
                if y > 0:
                    out -= ti.min(flow[y - 1, x][1], 0.0)
                    if x > 0:
                        out -= ti.min(flow[y - 1, x - 1][2], 0.0)
                    if x < width - 1:
                        out -= ti.min(flow[y - 1, x + 1][3], 0.0)
                value = 1.0
                if out > water[y, x]:
                    value = water[y, x] / out
                share[y, x] = value
            for y, x in flow:
                flow[y, x][0] = limited(y, x, 0, 1, 0)
                flow[y, x][1] = limited(y, x, 1, 0, 1)
                flow[y, x][2] = limited(y, x, 2, 1, 1)
                flow[y, x][3] = limited(y, x, 3, -1, 1)
            for y, x in water:
                water[y, x] += gain(y, x)

        return step
