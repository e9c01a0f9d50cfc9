"""Taichi's own parallel loops over fields."""

import os

os.environ.setdefault("ENABLE_TAICHI_HEADER_PRINT", "0")

import taichi as ti

from . import Missing


class Taichi:
    version = ".".join(map(str, ti.__version__))

    def __init__(self, scene, constants, gpu):
        # Without Vulkan: it may be software, and Taichi does not tell.
        ti.init(arch=[ti.cuda, ti.metal] if gpu else ti.cpu, default_fp=ti.f32, log_level=ti.ERROR, offline_cache=False)
        arch = ti.lang.impl.current_cfg().arch
        if gpu and arch in (ti.x64, ti.arm64):
            raise Missing("Taichi finds no GPU")
        self.device = f"GPU, {ti._lib.core.arch_name(arch)}" if gpu else "CPU"
        self.scene, self.sweeps = scene, constants["sweeps"]
        rows, columns = scene[2].shape[:2]
        plane = lambda more_rows=0, more_columns=0: ti.field(ti.f32, (rows + more_rows, columns + more_columns))
        air = lambda: (plane(0, 1), plane(1, 0), ti.Vector.field(4, ti.f32, (rows, columns)))
        self.now, self.next = air(), air()
        self.pressure, self.spare, self.forced, self.divergence = plane(), plane(), plane(1, 0), plane()
        self.back = ti.Vector.field(2, ti.f32, (rows, columns))
        self.carry, self.sweep, self.take_off = kernels(rows, columns, constants["lift"])
        self.reset()

    def reset(self):
        for field, values in zip(self.now, self.scene):
            field.from_numpy(values)
        self.pressure.fill(0)
        ti.sync()

    def state(self):
        return *(field.to_numpy() for field in self.now), self.divergence.to_numpy()

    def run(self, steps):
        for _ in range(steps):
            self.carry(*self.now, self.forced, self.back, *self.next, self.divergence)
            self.now, self.next = self.next, self.now
            for _ in range(self.sweeps):
                self.sweep(self.pressure, self.divergence, self.spare)
                self.pressure, self.spare = self.spare, self.pressure
            self.take_off(self.pressure, self.now[0], self.now[1])
        ti.sync()


def kernels(rows, columns, lift):
    """Those of a grid."""
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

    return carry, sweep, take_off
