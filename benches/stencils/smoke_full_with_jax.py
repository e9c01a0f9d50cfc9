"""The full step as whole-array arithmetic and gathers, compiled by XLA; as `smoke_with_jax` in calls where looks end."""

import jax
import numpy
from jax import numpy as jnp

from .smoke_with_jax import Jax, look_back, offset


class Full(Jax):
    kind = "full"

    def __init__(self, scene, constants, gpu):
        super().__init__(scene, constants, gpu)
        self.strength, self.keep = (self.put(numpy.float32(constants[name])) for name in ("confinement", "keep"))

    def carry(self, u, v, dye):
        forced = force(u, v, dye, self.strength, self.lift)
        # Where a cell will be: where it was, were all to flow the other way.
        back, ahead = look_back(u, v), look_back(-u, -v)
        there, dye = carry(*forced, dye, *back, self.keep)
        return *correct(*forced, *there, *back, *ahead), dye


@jax.jit
def force(u, v, dye, strength, lift):
    """Buoyancy and the confinement of vorticity."""
    cells = jnp.pad(u[:, 1:] + u[:, :-1], ((1, 1), (0, 0)), "edge"), jnp.pad(v[1:] + v[:-1], ((0, 0), (1, 1)), "edge")
    curl = 0.25 * ((cells[1][:, 2:] - cells[1][:, :-2]) - (cells[0][2:] - cells[0][:-2]))
    size = jnp.abs(curl)
    ring = jnp.pad(size, 1, "edge")
    x, y = 0.5 * (ring[1:-1, 2:] - ring[1:-1, :-2]), 0.5 * (ring[2:, 1:-1] - ring[:-2, 1:-1])
    length = jnp.sqrt(x * x + y * y)
    share = jnp.maximum(0.0, 1.0 - 2.0 * (length / (size + 1e-6))) / ((length + 0.02 * size) + 1e-6) * curl
    across, along, density = y * share, -x * share, dye[..., 3]
    between = 0.5 * (across[:, 1:] + across[:, :-1]), 0.5 * (along[1:] + along[:-1])
    u = u.at[:, 1:-1].add(strength * between[0])
    return u, v.at[1:-1].add(lift * 0.5 * (density[1:] + density[:-1]) + strength * between[1])


@jax.jit
def carry(u, v, dye, x, y, keep):
    """Velocity by one bilinear look back, dye by the cubic."""
    columns = [jnp.concatenate([beyond(p[:, :1], p[:, 1:2]), halfway(p), beyond(p[:, -1:], p[:, -2:-1])], 1) for p in (x, y)]
    rows = [jnp.concatenate([beyond(p[:1], p[1:2]), halfway(p, 0), beyond(p[-1:], p[-2:-1])]) for p in (x, y)]
    return (offset(u, *columns), offset(v, *rows)), keep * cubic(dye, x, y)


@jax.jit
def correct(u, v, there_u, there_v, x, y, ahead_x, ahead_y):
    """MacCormack's second half, on the faces between cells; those at walls are 0."""
    looks = x, y, ahead_x, ahead_y
    u = corrected(u, there_u, *map(halfway, looks), column=1)
    v = corrected(v, there_v, *(halfway(plane, 0) for plane in looks), row=1)
    return jnp.pad(u, ((0, 0), (1, 1))), jnp.pad(v, ((1, 1), (0, 0)))


def halfway(plane, axis=1):
    """Between neighbours."""
    return 0.5 * (plane[:, 1:] + plane[:, :-1] if axis else plane[1:] + plane[:-1])


def beyond(near, far):
    """On to a wall, as between the two cells before it."""
    return 1.5 * near - 0.5 * far


def alternating(values):
    """Half of what of each value alternates with those beside it, along columns."""
    a, b, c, d, e = (jnp.pad(values, ((0, 0), (2, 2)), "edge")[:, n : n + values.shape[1]] for n in range(5))
    below, here, above = ((q + q) - (p + r) for p, q, r in ((a, b, c), (b, c, d), (c, d, e)))
    up = jnp.maximum(jnp.minimum(here, jnp.minimum(-below, -above)), 0.0)
    down = jnp.minimum(jnp.maximum(here, jnp.maximum(-below, -above)), 0.0)
    return 0.125 * (up + down)


def corrected(values, there, x, y, ahead_x, ahead_y, row=0, column=0):
    """Without half the error of there and back, and within what the look back is between."""
    part = lambda plane: plane[row : row + x.shape[0], column : column + x.shape[1]]
    stays = jnp.maximum(1.0 - 2.0 * jnp.abs(x), 0.0) * jnp.maximum(1.0 - 2.0 * jnp.abs(y), 0.0)
    value = part(there) - part(alternating(values) + alternating(values.T).T) * stays
    value += 0.5 * (part(values) - offset(there, ahead_x, ahead_y, row, column))
    _, _, a, b, c, d = corners(values, x, y, row, column)
    least, most = jnp.minimum(jnp.minimum(a, b), jnp.minimum(c, d)), jnp.maximum(jnp.maximum(a, b), jnp.maximum(c, d))
    return jnp.minimum(jnp.maximum(value, least), most)


def corners(values, x, y, row=0, column=0):
    """Columns and rows before places at offsets, each with its fraction, and the values around them; those of an edge
    beyond the edge."""
    axis = lambda offset, places, last: jnp.clip(offset + places.astype(jnp.float32), 0, last)
    rows, columns = values.shape[:2]
    x = axis(x, jnp.arange(column, column + x.shape[1]), columns - 1)
    y = axis(y, jnp.arange(row, row + y.shape[0])[:, None], rows - 1)
    i, j = x.astype(jnp.int32), y.astype(jnp.int32)
    right, high = jnp.minimum(i + 1, columns - 1), jnp.minimum(j + 1, rows - 1)
    around = (taken(values, at, on) for at in (j, high) for on in (i, right))
    return (i, x - i), (j, y - j), *around


def taken(values, j, i):
    """One index into the rows laid end to end is gathered faster than two."""
    rows, columns = values.shape[:2]
    return jnp.take(values.reshape(rows * columns, *values.shape[2:]), j * columns + i, axis=0, mode="clip")


def weights(t):
    """What Catmull and Rom's cubic takes of four values."""
    a, d = ((1.0 - 0.5 * t) * t - 0.5) * t, (0.5 * t - 0.5) * (t * t)
    return [w[..., None] for w in (a, (1.5 * t - 2.5) * (t * t) + 1.0, ((2.0 - 1.5 * t) * t + 0.5) * t, d)]


def cubic(dye, x, y):
    """Within the four values around the places."""
    (i, s), (j, t), *around = corners(dye, x, y)
    rows, columns = dye.shape[:2]
    near = lambda at, by, values: jnp.clip(at + by, 0, values - 1)
    along = lambda j: sum(w * taken(dye, j, near(i, n - 1, columns)) for n, w in enumerate(weights(s)))
    value = sum(w * along(near(j, n - 1, rows)) for n, w in enumerate(weights(t)))
    a, b, c, d = around
    least, most = jnp.minimum(jnp.minimum(a, b), jnp.minimum(c, d)), jnp.maximum(jnp.maximum(a, b), jnp.maximum(c, d))
    return jnp.minimum(jnp.maximum(value, least), most)
