"""The full step as whole-array arithmetic and gathers, compiled by XLA; as `smoke_with_jax` in calls where many values
take from one."""

import jax
import numpy
from jax import numpy as jnp

from .smoke_with_jax import Jax, look_back


class Full(Jax):
    kind = "full"

    def __init__(self, scene, constants, gpu):
        super().__init__(scene, constants, gpu)
        self.strength, self.keep = (self.put(numpy.float32(constants[name])) for name in ("confinement", "keep"))

    def carry(self, u, v, dye):
        forced = force(u, v, dye, *confine(turn(u, v)), self.strength, self.lift)
        back = look_back(u, v)
        return *carry(*forced, *back), carry_dye(dye, *back, self.keep)


@jax.jit
def turn(u, v):
    """Vorticity of the cells."""
    x, y = jnp.pad(u[:, 1:] + u[:, :-1], ((1, 1), (0, 0)), "edge"), jnp.pad(v[1:] + v[:-1], ((0, 0), (1, 1)), "edge")
    return 0.25 * ((y[:, 2:] - y[:, :-2]) - (x[2:] - x[:-2]))


@jax.jit
def confine(curl):
    """The force of confinement on the cells, of strength 1."""
    size = jnp.abs(curl)
    x, y = jnp.pad(size, ((0, 0), (1, 1)), "edge"), jnp.pad(size, ((1, 1), (0, 0)), "edge")
    x, y = 0.5 * (x[:, 2:] - x[:, :-2]), 0.5 * (y[2:] - y[:-2])
    length = jnp.sqrt(x * x + y * y)
    share = jnp.maximum(0.0, 1.0 - 2.0 * (length / (size + 1e-6))) / ((length + 0.02 * size) + 1e-6) * curl
    return y * share, -x * share


@jax.jit
def force(u, v, dye, across, along, strength, lift):
    """Buoyancy and the confinement of vorticity."""
    density = dye[..., 3]
    u = u.at[:, 1:-1].add(strength * halfway(across))
    return u, v.at[1:-1].add(lift * 0.5 * (density[1:] + density[:-1]) + strength * halfway(along, 0))


@jax.jit
def carry(u, v, x, y):
    """On the faces between cells; those at walls are 0."""
    u, _ = blend(u, lagrange, halfway(x), halfway(y), column=1)
    v, _ = blend(v, lagrange, halfway(x, 0), halfway(y, 0), row=1)
    return jnp.pad(u, ((0, 0), (1, 1))), jnp.pad(v, ((1, 1), (0, 0)))


@jax.jit
def carry_dye(dye, x, y, keep):
    """Clamped to the four values around the sample positions."""
    value, (a, b, c, d) = blend(dye, weights, x, y)
    least, most = jnp.minimum(jnp.minimum(a, b), jnp.minimum(c, d)), jnp.maximum(jnp.maximum(a, b), jnp.maximum(c, d))
    return keep * jnp.minimum(jnp.maximum(value, least), most)


def halfway(plane, axis=1):
    """Between neighbours."""
    return 0.5 * (plane[:, 1:] + plane[:, :-1] if axis else plane[1:] + plane[:-1])


def lagrange(t):
    """What Lagrange's cubic takes of four values."""
    inner, outer = t * (1.0 - t), (1.0 + t) * (2.0 - t)
    return inner * (2.0 - t) / -6.0, outer * (1.0 - t) * 0.5, outer * t * 0.5, inner * (1.0 + t) / -6.0


def weights(t):
    """What Catmull and Rom's cubic takes of four values."""
    a, d = ((1.0 - 0.5 * t) * t - 0.5) * t, (0.5 * t - 0.5) * (t * t)
    return a, (1.5 * t - 2.5) * (t * t) + 1.0, ((2.0 - 1.5 * t) * t + 0.5) * t, d


def blend(values, cubic, x, y, row=0, column=0):
    """By a cubic, at offsets from the values, the first ones from that at `row` and `column`, and the four values
    around the sample positions; those of an edge beyond the edge."""
    axis = lambda offset, places, last: jnp.clip(offset + places.astype(jnp.float32), 0, last)
    rows, columns = values.shape[:2]
    x = axis(x, jnp.arange(column, column + x.shape[1]), columns - 1)
    y = axis(y, jnp.arange(row, row + y.shape[0])[:, None], rows - 1)
    i, j = x.astype(jnp.int32), y.astype(jnp.int32)
    s, t = x - i, y - j
    if values.ndim == 3:
        s, t = s[..., None], t[..., None]
    near = lambda at, last: [jnp.clip(at + n, 0, last) for n in range(-1, 3)]
    # One index into the rows laid end to end is gathered faster than two.
    flat = values.reshape(rows * columns, *values.shape[2:])
    take = lambda j, i: jnp.take(flat, j * columns + i, axis=0, mode="clip")
    taken = [[take(j, i) for i in near(i, columns - 1)] for j in near(j, rows - 1)]
    joined = lambda shares, parts: sum(share * part for share, part in zip(shares, parts))
    along = cubic(s)
    return joined(cubic(t), [joined(along, row) for row in taken]), (*taken[1][1:3], *taken[2][1:3])
