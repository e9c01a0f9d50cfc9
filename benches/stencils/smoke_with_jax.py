"""Whole-array arithmetic and gathers, compiled by XLA: a whole step in one call."""

import functools

import jax
import numpy
from jax import numpy as jnp

from . import Missing


class Jax:
    version = jax.__version__

    def __init__(self, scene, constants, gpu):
        try:
            self.where = jax.devices("gpu" if gpu else "cpu")[0]
        except RuntimeError as error:
            raise Missing("JAX finds no GPU") from error
        self.device = self.where.device_kind if gpu else "CPU"
        self.scene, self.sweeps = scene, constants["sweeps"]
        self.put = functools.partial(jax.device_put, device=self.where)
        self.lift = self.put(numpy.float32(constants["lift"]))
        self.reset()

    def reset(self):
        nothing = numpy.zeros(self.scene[2].shape[:2], numpy.float32)
        self.air = tuple(map(self.put, (*self.scene, nothing, nothing)))

    def state(self):
        u, v, dye, _, divergence = map(numpy.asarray, self.air)
        return u, v, dye, divergence

    def run(self, steps):
        for _ in range(steps):
            self.air = step(self.air, self.lift, self.sweeps)
        jax.block_until_ready(self.air)


@functools.partial(jax.jit, static_argnums=2, donate_argnums=0)
def step(air, lift, sweeps):
    u, v, dye, pressure, _ = air
    wind = u, v
    rises = lift * 0.5 * (dye[:-1, :, 3] + dye[1:, :, 3])
    forced = v.at[1:-1].add(rises)
    # What blows at the faces and cells themselves.
    across = jnp.pad(0.5 * (v[1:] + v[:-1]), ((0, 0), (1, 1)), "edge")
    along = jnp.pad(0.5 * (u[:, 1:] + u[:, :-1]), ((1, 1), (0, 0)), "edge")
    at_u = u, 0.5 * (across[:, 1:] + across[:, :-1])
    at_v = 0.5 * (along[1:] + along[:-1]), v
    at_cells = 0.5 * (u[:, 1:] + u[:, :-1]), 0.5 * (v[1:] + v[:-1])
    u = carried(u, wind, at_u, (0, 0.5))[:, 1:-1]
    v = carried(forced, wind, at_v, (0.5, 0))[1:-1]
    dye = carried(dye, wind, at_cells, (0.5, 0.5))
    u, v = jnp.pad(u, ((0, 0), (1, 1))), jnp.pad(v, ((1, 1), (0, 0)))
    divergence = (u[:, 1:] - u[:, :-1]) + (v[1:] - v[:-1])

    def sweep(_, pressure):
        p = jnp.pad(pressure, 1, "edge")
        return 0.25 * ((p[1:-1, :-2] + p[1:-1, 2:]) + (p[:-2, 1:-1] + p[2:, 1:-1]) - divergence)

    pressure = jax.lax.fori_loop(0, sweeps, sweep, pressure)
    u = u.at[:, 1:-1].add(pressure[:, :-1] - pressure[:, 1:])
    v = v.at[1:-1].add(pressure[:-1] - pressure[1:])
    return u, v, dye, pressure, divergence


def carried(values, wind, here, shift):
    """Values that stand `shift` right of and above the corners, at the ends of their look back."""
    rows, columns = values.shape[:2]
    x, y = jnp.arange(columns, dtype=jnp.float32)[None, :], jnp.arange(rows, dtype=jnp.float32)[:, None]
    middle_x, middle_y = x - 0.5 * here[0] + shift[0], y - 0.5 * here[1] + shift[1]
    u = sample(wind[0], middle_x, middle_y - 0.5)
    v = sample(wind[1], middle_x - 0.5, middle_y)
    return sample(values, x - u, y - v)


def sample(values, x, y):
    """Bilinear, at places in values."""
    rows, columns = values.shape[:2]
    x, y = jnp.clip(x, 0, columns - 1), jnp.clip(y, 0, rows - 1)
    i, j = jnp.minimum(x.astype(jnp.int32), columns - 2), jnp.minimum(y.astype(jnp.int32), rows - 2)
    s, t = x - i, y - j
    if values.ndim == 3:
        s, t = s[..., None], t[..., None]
    # One index into the rows laid end to end is gathered faster than two.
    flat, at = values.reshape(rows * columns, *values.shape[2:]), j * columns + i
    take = lambda offset: jnp.take(flat, at + offset, axis=0, mode="clip")
    low = take(0) + (take(1) - take(0)) * s
    high = take(columns) + (take(columns + 1) - take(columns)) * s
    return low + (high - low) * t
