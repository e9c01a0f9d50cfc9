"""Ripples in Taichi's own parallel loops over fields."""

import os

os.environ.setdefault("ENABLE_TAICHI_HEADER_PRINT", "0")

import numpy
import taichi as ti

from . import edge_factors
from .ripples import BLUR, LEVELS, PROLONG, RESTRICT, Edges, sizes
from .with_taichi import Fields, accelerate_of, device, gain_of


class Ripples(Fields):
    def __init__(self, scene, constants, gpu):
        self.device = device(gpu)
        _, height, width = scene.shape
        self.scene = scene
        plane = lambda size: ti.field(ti.f32, size)
        self.water, self.head = plane((height, width)), plane((height, width))
        self.flow = ti.Vector.field(4, ti.f32, (height, width), layout=ti.Layout.SOA)
        cross = [1.0 + count / 8.0 for count in range(5)]
        self.along_rows, self.along_columns = plane(height), plane(width)
        self.along_rows.from_numpy(edge_factors(height, cross))
        self.along_columns.from_numpy(edge_factors(width, cross))
        self.levels = sizes(height, width)
        planes = lambda: [plane(size) for size in self.levels]
        # Blurred values; values on the way down, then heads; sums.
        self.blurred, self.heads, self.sums = planes(), planes(), planes()
        self.step = self.kernels(Edges(constants["edges"]), constants)
        self.reset()

    def reset(self):
        self.water.from_numpy(self.scene[1])
        self.flow.from_numpy(numpy.ascontiguousarray(numpy.moveaxis(self.scene[2:], 0, -1)))
        ti.sync()

    def kernels(self, edges, constants):
        height, width = self.levels[0]
        water, head, flow = self.water, self.head, self.flow
        blurred, heads, sums = self.blurred, self.heads, self.sums
        along_rows, along_columns = self.along_rows, self.along_columns
        keep, smoothing = constants["keep"], constants["smoothing"]
        cell, faces, diagonals = (constants[name] for name in ("cell", "faces", "diagonals"))

        def listed(kind, level):
            """A list of cells with their stencils, as fields."""
            arrays = edges.of(kind, level)
            fields = [ti.field(ti.f32 if n == 2 else ti.i32, array.shape) for n, array in enumerate(arrays)]
            for field, array in zip(fields, arrays):
                field.from_numpy(array)
            return fields

        @ti.kernel
        def blur(of: ti.template(), to: ti.template()):
            for y, x in to:
                a, b = ti.max(y - 1, 0), ti.min(y + 1, of.shape[0] - 1)
                c, d = ti.max(x - 1, 0), ti.min(x + 1, of.shape[1] - 1)
                corners = of[a, c] + of[a, d] + of[b, c] + of[b, d]
                to[y, x] = (4.0 * of[y, x] + 2.0 * (of[a, x] + of[b, x] + of[y, c] + of[y, d]) + corners) / 16.0

        @ti.kernel
        def restrict(of: ti.template(), to: ti.template()):
            for y, x in to:
                total = 0.0
                for i, j in ti.static(ti.ndrange(4, 4)):
                    weight = ti.static((1.0 if i in (0, 3) else 3.0) * (1.0 if j in (0, 3) else 3.0))
                    row, column = ti.max(2 * y - 1 + i, 0), ti.max(2 * x - 1 + j, 0)
                    total += weight * of[ti.min(row, of.shape[0] - 1), ti.min(column, of.shape[1] - 1)]
                to[y, x] = total / 64.0

        @ti.kernel
        def add(of: ti.template(), factor: ti.f32, coarse: ti.template(), to: ti.template()):
            for y, x in to:
                row = ti.min(ti.max(y // 2 + (y % 2) * 2 - 1, 0), coarse.shape[0] - 1)
                column = ti.min(ti.max(x // 2 + (x % 2) * 2 - 1, 0), coarse.shape[1] - 1)
                beside = coarse[row, x // 2] + coarse[y // 2, column]
                total = 9.0 * coarse[y // 2, x // 2] + 3.0 * beside + coarse[row, column]
                to[y, x] = factor * of[y, x] + total / 16.0

        @ti.kernel
        def scale(of: ti.template(), factor: ti.f32, to: ti.template()):
            for y, x in to:
                to[y, x] = factor * of[y, x]

        @ti.func
        def stencil(of: ti.template(), near: ti.template(), weights: ti.template(), at):
            total = 0.0
            for n in ti.static(range(near.shape[1])):
                total += weights[at, n] * of[near[at, n] // of.shape[1], near[at, n] % of.shape[1]]
            return total

        @ti.kernel
        def mend(
            of: ti.template(), to: ti.template(), cells: ti.template(), near: ti.template(), weights: ti.template()
        ):
            """The listed cells, by their stencils."""
            for at in cells:
                to[cells[at] // to.shape[1], cells[at] % to.shape[1]] = stencil(of, near, weights, at)

        @ti.kernel
        def mend_sum(
            base: ti.template(), factor: ti.f32, of: ti.template(), to: ti.template(), cells: ti.template(),
            near: ti.template(), weights: ti.template(),
        ):
            """The listed cells of `add`."""
            for at in cells:
                y, x = cells[at] // to.shape[1], cells[at] % to.shape[1]
                to[y, x] = factor * base[y, x] + stencil(of, near, weights, at)

        gain = gain_of(flow, width)
        accelerate = accelerate_of(flow, head, (along_rows, along_columns), (keep, 0.25))

        @ti.kernel
        def finish(top: ti.template()):
            for y, x in head:
                a, b = ti.max(y - 1, 0), ti.min(y + 1, height - 1)
                c, d = ti.max(x - 1, 0), ti.min(x + 1, width - 1)
                own = water[y, x]
                across = 4.0 * own - water[a, x] - water[b, x] - water[y, c] - water[y, d]
                corners = 4.0 * own - water[a, c] - water[a, d] - water[b, c] - water[b, d]
                local = cell * own + faces * across + diagonals * corners
                head[y, x] = top[y, x] + local + smoothing * gain(y, x)
            for y, x in flow:
                accelerate(y, x)
            for y, x in water:
                water[y, x] += gain(y, x)

        blurs = [listed(BLUR, level) for level in range(LEVELS)]
        restricts = [listed(RESTRICT, level) for level in range(1, LEVELS)]
        prolongs = [listed(PROLONG, level) for level in range(LEVELS - 1)]
        factors = constants["levels"]

        def step():
            for level in range(LEVELS):
                of = heads[level] if level > 0 else water
                blur(of, blurred[level])
                mend(of, blurred[level], *blurs[level])
                if level + 1 < LEVELS:
                    restrict(blurred[level], heads[level + 1])
                    mend(blurred[level], heads[level + 1], *restricts[level])
            for level in reversed(range(LEVELS)):
                if level + 1 < LEVELS:
                    add(blurred[level], factors[level], heads[level + 1], sums[level])
                    mend_sum(blurred[level], factors[level], heads[level + 1], sums[level], *prolongs[level])
                else:
                    scale(blurred[level], factors[level], sums[level])
                blur(sums[level], heads[level])
                mend(sums[level], heads[level], *blurs[level])
            finish(heads[0])

        return step

