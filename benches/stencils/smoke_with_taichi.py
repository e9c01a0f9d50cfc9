"""Taichi's own parallel loops over fields."""

import os

os.environ.setdefault("ENABLE_TAICHI_HEADER_PRINT", "0")

import taichi as ti

from . import Missing


class Taichi:
    kind = "plain"
    version = ".".join(map(str, ti.__version__))

    def __init__(self, scene, constants, gpu):
        # Without Vulkan: it may be software, and Taichi does not tell.
        ti.init(arch=[ti.cuda, ti.metal] if gpu else ti.cpu, default_fp=ti.f32, log_level=ti.ERROR, offline_cache=False)
        arch = ti.lang.impl.current_cfg().arch
        if gpu and arch in (ti.x64, ti.arm64):
            raise Missing("Taichi finds no GPU")
        self.device = f"GPU, {ti._lib.core.arch_name(arch)}" if gpu else "CPU"
        self.scene, self.sweeps = scene, constants["sweeps"]
        rows, columns = self.size = scene[2].shape[:2]
        self.now, self.next = (
            (self.plane(0, 1), self.plane(1, 0), ti.Vector.field(4, ti.f32, self.size)) for _ in range(2)
        )
        self.pressure, self.spare, self.divergence = (self.plane() for _ in range(3))
        self.forced, self.back = self.plane(1, 0), ti.Vector.field(2, ti.f32, self.size)
        self.sweep, self.take_off = pressures(rows, columns)
        self.prepare(constants)
        self.reset()

    def plane(self, more_rows=0, more_columns=0):
        rows, columns = self.size
        return ti.field(ti.f32, (rows + more_rows, columns + more_columns))

    def prepare(self, constants):
        """What the carrying needs."""
        self.kernel = carrying(*self.size, constants["lift"])

    def reset(self):
        for field, values in zip(self.now, self.scene):
            field.from_numpy(values)
        self.pressure.fill(0)
        ti.sync()

    def state(self):
        return *(field.to_numpy() for field in self.now), self.divergence.to_numpy()

    def run(self, steps):
        for _ in range(steps):
            self.carry(*self.now, *self.next)
            self.now, self.next = self.next, self.now
            for _ in range(self.sweeps):
                self.sweep(self.pressure, self.divergence, self.spare)
                self.pressure, self.spare = self.spare, self.pressure
            self.take_off(self.pressure, self.now[0], self.now[1])
        ti.sync()

    def carry(self, *air):
        """From u, v and dye to those of the next step."""
        self.kernel(*air[:3], self.forced, self.back, *air[3:], self.divergence)


field = ti.template()


@ti.func
def sample(values: field, x, y):
    """Bilinear, at a place in values."""
    last_x, last_y = values.shape[1] - 1, values.shape[0] - 1
    x, y = ti.math.clamp(x, 0.0, last_x), ti.math.clamp(y, 0.0, last_y)
    i, j = ti.min(int(x), last_x - 1), ti.min(int(y), last_y - 1)
    s, t = x - i, y - j
    low = values[j, i] + (values[j, i + 1] - values[j, i]) * s
    high = values[j + 1, i] + (values[j + 1, i + 1] - values[j + 1, i]) * s
    return low + (high - low) * t


def carrying(rows, columns, lift):
    """All of a step on a grid but its pressure."""

    @ti.kernel
    def carry(
        u: field, v: field, dye: field, forced: field, back: field, to_u: field, to_v: field, to_dye: field,
        divergence: field,
    ):
        for j, i in forced:
            forced[j, i] = v[j, i]
            if 0 < j < rows:
                forced[j, i] += lift * 0.5 * (dye[j - 1, i][3] + dye[j, i][3])
        # Offsets from the cells to where they were.
        for j, i in back:
            x, y = i - 0.25 * (u[j, i] + u[j, i + 1]), j - 0.25 * (v[j, i] + v[j + 1, i])
            back[j, i] = -ti.math.vec2(sample(u, x + 0.5, y), sample(v, x, y + 0.5))
        for j, i in to_u:
            if 0 < i < columns:
                offset = 0.5 * (back[j, i - 1] + back[j, i])
                to_u[j, i] = sample(u, i + offset.x, j + offset.y)
            else:
                to_u[j, i] = 0.0
        for j, i in to_v:
            if 0 < j < rows:
                offset = 0.5 * (back[j - 1, i] + back[j, i])
                to_v[j, i] = sample(forced, i + offset.x, j + offset.y)
            else:
                to_v[j, i] = 0.0
        for j, i in to_dye:
            to_dye[j, i] = sample(dye, i + back[j, i].x, j + back[j, i].y)
        for j, i in divergence:
            divergence[j, i] = (to_u[j, i + 1] - to_u[j, i]) + (to_v[j + 1, i] - to_v[j, i])

    return carry


def pressures(rows, columns):
    """A sweep, and taking off the gradient, on a grid."""

    @ti.kernel
    def sweep(pressure: field, divergence: field, to: field):
        for j, i in to:
            left, right = pressure[j, ti.max(i - 1, 0)], pressure[j, ti.min(i + 1, columns - 1)]
            below, above = pressure[ti.max(j - 1, 0), i], pressure[ti.min(j + 1, rows - 1), i]
            to[j, i] = 0.25 * ((left + right) + (below + above) - divergence[j, i])

    @ti.kernel
    def take_off(pressure: field, u: field, v: field):
        for j, i in pressure:
            if i > 0:
                u[j, i] -= pressure[j, i] - pressure[j, i - 1]
            if j > 0:
                v[j, i] -= pressure[j, i] - pressure[j - 1, i]

    return sweep, take_off
