"""The full step in Taichi's own parallel loops."""

import taichi as ti

from .smoke_with_taichi import Taichi, field, sample


class Full(Taichi):
    kind = "full"

    def prepare(self, constants):
        self.curl, self.push = self.plane(), ti.Vector.field(2, ti.f32, self.size)
        self.forced_u = self.plane(0, 1)
        self.kernels = carrying(*self.size, constants)

    def carry(self, u, v, dye, *to):
        force, carry = self.kernels
        force(u, v, dye, self.curl, self.push, self.forced_u, self.forced)
        carry(u, v, self.forced_u, self.forced, dye, self.back, *to, self.divergence)


@ti.func
def around(q, last):
    """The four indices around a place on an axis, those of an edge beyond the edge, and the fraction."""
    at = ti.math.clamp(q, 0.0, last)
    i = int(at)
    return ti.math.ivec4(ti.max(i - 1, 0), i, ti.min(i + 1, last), ti.min(i + 2, last)), at - i


@ti.func
def weights(t):
    """What Catmull and Rom's cubic takes of four values."""
    a, d = ((1.0 - 0.5 * t) * t - 0.5) * t, (0.5 * t - 0.5) * (t * t)
    return ti.math.vec4(a, (1.5 * t - 2.5) * (t * t) + 1.0, ((2.0 - 1.5 * t) * t + 0.5) * t, d)


@ti.func
def lagrange(t):
    """What Lagrange's cubic takes of four values."""
    inner, outer = t * (1.0 - t), (1.0 + t) * (2.0 - t)
    low, high = inner * (2.0 - t) / -6.0, inner * (1.0 + t) / -6.0
    return ti.math.vec4(low, outer * (1.0 - t) * 0.5, outer * t * 0.5, high)


@ti.func
def joined(values: field, row, columns, along):
    low = values[row, columns[0]] * along[0] + values[row, columns[1]] * along[1]
    return low + (values[row, columns[2]] * along[2] + values[row, columns[3]] * along[3])


@ti.func
def blend(values: field, columns, rows, along, across):
    low = joined(values, rows[0], columns, along) * across[0] + joined(values, rows[1], columns, along) * across[1]
    high = joined(values, rows[2], columns, along) * across[2] + joined(values, rows[3], columns, along) * across[3]
    return low + high


@ti.func
def cubic_face(values: field, x, y):
    columns, s = around(x, values.shape[1] - 1)
    rows, t = around(y, values.shape[0] - 1)
    return blend(values, columns, rows, lagrange(s), lagrange(t))


@ti.func
def cubic(dye: field, x, y):
    """Within the four values around the place."""
    columns, s = around(x, dye.shape[1] - 1)
    rows, t = around(y, dye.shape[0] - 1)
    value = blend(dye, columns, rows, weights(s), weights(t))
    a, b = dye[rows[1], columns[1]], dye[rows[1], columns[2]]
    c, d = dye[rows[2], columns[1]], dye[rows[2], columns[2]]
    return ti.math.clamp(value, ti.min(a, b, c, d), ti.max(a, b, c, d))


def carrying(rows, columns, constants):
    """All of a step on a grid but its pressure."""
    lift, strength, keep = (constants[name] for name in ("lift", "confinement", "keep"))

    @ti.kernel
    def force(u: field, v: field, dye: field, curl: field, push: field, to_u: field, to_v: field):
        for j, i in curl:
            left, right = ti.max(i - 1, 0), ti.min(i + 1, columns - 1)
            low, high = ti.max(j - 1, 0), ti.min(j + 1, rows - 1)
            up = (v[j, right] + v[j + 1, right]) - (v[j, left] + v[j + 1, left])
            curl[j, i] = 0.25 * (up - ((u[high, i] + u[high, i + 1]) - (u[low, i] + u[low, i + 1])))
        # The force of confinement on the cells, of strength 1.
        for j, i in push:
            left, right = ti.max(i - 1, 0), ti.min(i + 1, columns - 1)
            low, high = ti.max(j - 1, 0), ti.min(j + 1, rows - 1)
            x, y = 0.5 * (abs(curl[j, right]) - abs(curl[j, left])), 0.5 * (abs(curl[high, i]) - abs(curl[low, i]))
            length, size = ti.sqrt(x * x + y * y), abs(curl[j, i])
            share = ti.max(0.0, 1.0 - 2.0 * (length / (size + 1e-6))) / ((length + 0.02 * size) + 1e-6) * curl[j, i]
            push[j, i] = ti.math.vec2(y * share, -x * share)
        for j, i in to_u:
            if 0 < i < columns:
                to_u[j, i] = u[j, i] + strength * (0.5 * (push[j, i - 1].x + push[j, i].x))
        for j, i in to_v:
            if 0 < j < rows:
                rises = lift * 0.5 * (dye[j - 1, i][3] + dye[j, i][3])
                to_v[j, i] = v[j, i] + rises + strength * (0.5 * (push[j - 1, i].y + push[j, i].y))

    @ti.kernel
    def carry(
        u: field, v: field, forced_u: field, forced_v: field, dye: field, back: field, to_u: field, to_v: field,
        to_dye: field, divergence: field,
    ):
        # Offsets from the cells to where they were.
        for j, i in back:
            x, y = i - 0.25 * (u[j, i] + u[j, i + 1]), j - 0.25 * (v[j, i] + v[j + 1, i])
            back[j, i] = -ti.math.vec2(sample(u, x + 0.5, y), sample(v, x, y + 0.5))
        # Faces at walls stay 0.
        for j, i in to_u:
            if 0 < i < columns:
                offset = 0.5 * (back[j, i - 1] + back[j, i])
                to_u[j, i] = cubic_face(forced_u, i + offset.x, j + offset.y)
        for j, i in to_v:
            if 0 < j < rows:
                offset = 0.5 * (back[j - 1, i] + back[j, i])
                to_v[j, i] = cubic_face(forced_v, i + offset.x, j + offset.y)
        for j, i in to_dye:
            to_dye[j, i] = cubic(dye, i + back[j, i].x, j + back[j, i].y) * keep
        for j, i in divergence:
            divergence[j, i] = (to_u[j, i + 1] - to_u[j, i]) + (to_v[j + 1, i] - to_v[j, i])

    return force, carry
