"""Whole-array arithmetic and gathers, compiled by XLA: a step in three calls, with backtraces and interpolation
repeated for every value that needs them."""

import functools

import jax
import numpy
from jax import numpy as jnp

from . import Missing


class Jax:
    kind = "plain"
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
            u, v, dye, pressure, _ = self.air
            self.air = project(*self.carry(u, v, dye), pressure, self.sweeps)
        jax.block_until_ready(self.air)

    def carry(self, u, v, dye):
        """All of a step but its pressure."""
        return carry(u, v, dye, *look_back(u, v), self.lift)


@jax.jit
def look_back(u, v):
    """Offsets from the cells to where they were."""
    x, y = -0.25 * (u[:, 1:] + u[:, :-1]), -0.25 * (v[1:] + v[:-1])
    return -offset(u, x + 0.5, y), -offset(v, x, y + 0.5)


@jax.jit
def carry(u, v, dye, x, y, lift):
    """What is carried, from the offsets of the cells."""
    rises = lift * 0.5 * (dye[:-1, :, 3] + dye[1:, :, 3])
    forced = v.at[1:-1].add(rises)
    # Displacements of the faces between cells.
    along = [0.5 * (plane[:, 1:] + plane[:, :-1]) for plane in (x, y)]
    across = [0.5 * (plane[1:] + plane[:-1]) for plane in (x, y)]
    u, v = offset(u, *along, column=1), offset(forced, *across, row=1)
    return jnp.pad(u, ((0, 0), (1, 1))), jnp.pad(v, ((1, 1), (0, 0))), offset(dye, x, y)


@functools.partial(jax.jit, static_argnums=4, donate_argnums=(0, 1, 2, 3))
def project(u, v, dye, pressure, sweeps):
    """The air without its divergence."""
    divergence = (u[:, 1:] - u[:, :-1]) + (v[1:] - v[:-1])

    def sweep(_, pressure):
        p = jnp.pad(pressure, 1, "edge")
        return 0.25 * ((p[1:-1, :-2] + p[1:-1, 2:]) + (p[:-2, 1:-1] + p[2:, 1:-1]) - divergence)

    pressure = jax.lax.fori_loop(0, sweeps, sweep, pressure)
    u = u.at[:, 1:-1].add(pressure[:, :-1] - pressure[:, 1:])
    v = v.at[1:-1].add(pressure[:-1] - pressure[1:])
    return u, v, dye, pressure, divergence


def offset(values, x, y, row=0, column=0):
    """Bilinear, at offsets from the values, the first ones from that at `row` and `column`."""
    rows, columns = x.shape
    x = x + jnp.arange(column, column + columns, dtype=jnp.float32)
    y = y + jnp.arange(row, row + rows, dtype=jnp.float32)[:, None]
    rows, columns = values.shape[:2]
    x, y = jnp.clip(x, 0, columns - 1), jnp.clip(y, 0, rows - 1)
    i, j = jnp.minimum(x.astype(jnp.int32), columns - 2), jnp.minimum(y.astype(jnp.int32), rows - 2)
    s, t = x - i, y - j
    if values.ndim == 3:
        s, t = s[..., None], t[..., None]
    # One index into the rows laid end to end is gathered faster than two.
    flat, at = values.reshape(rows * columns, *values.shape[2:]), j * columns + i
    take = lambda more: jnp.take(flat, at + more, axis=0, mode="clip")
    low = take(0) + (take(1) - take(0)) * s
    high = take(columns) + (take(columns + 1) - take(columns)) * s
    return low + (high - low) * t
