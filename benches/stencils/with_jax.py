"""Whole-array arithmetic, compiled by XLA: all steps of a frame in one call."""

import functools

import jax
import numpy
from jax import numpy as jnp

from . import Missing, edge_factors


class Jax:
    version = jax.__version__

    def __init__(self, scene, constants, gpu):
        try:
            self.where = jax.devices("gpu" if gpu else "cpu")[0]
        except RuntimeError as error:
            raise Missing("JAX finds no GPU") from error
        self.device = self.where.device_kind if gpu else "CPU"
        put = functools.partial(jax.device_put, device=self.where)
        _, height, width = scene.shape
        self.scene, self.put = scene, put
        rows, columns = (edge_factors(n, constants["cross"]) for n in (height, width))
        # 1 where a pipe does not lead out of the frame.
        up, right, left = (numpy.ones(n, numpy.float32) for n in (height, width, width))
        up[-1] = right[-1] = left[0] = 0
        factors = [(rows, right), (up, columns), (constants["diagonal"] * up, right), (constants["diagonal"] * up, left)]
        self.fixed = {name: put(numpy.float32(constants[name])) for name in ("keep", "smoothing")}
        self.fixed["factors"] = [(put(a[:, None].astype("f4")), put(b[None, :])) for a, b in factors]
        self.fixed["ground"] = put(scene[0])
        self.reset()

    def reset(self):
        # Flows have a ring of zeros.
        water, *flows = self.scene[1:]
        self.water = (self.put(water), *(self.put(numpy.pad(flow, 1)) for flow in flows))

    def state(self):
        water, *flows = map(numpy.asarray, self.water)
        return numpy.stack([water, *(flow[1:-1, 1:-1] for flow in flows)])

    def run(self, steps):
        self.water = jax.block_until_ready(frame(self.water, self.fixed, steps))


@functools.partial(jax.jit, static_argnums=2, donate_argnums=0)
def frame(water, fixed, steps):
    return jax.lax.fori_loop(0, steps, lambda _, water: step(water, fixed), water)


def seen(padded, dx, dy):
    """What each cell sees at its neighbour, in a plane with a ring."""
    height, width = padded.shape
    return padded[1 + dy : height - 1 + dy, 1 + dx : width - 1 + dx]


OFFSETS = [(1, 0), (0, 1), (1, 1), (-1, 1)]


def gain(flows):
    """Inflow less outflow."""
    return sum(seen(flow, -dx, -dy) - seen(flow, 0, 0) for flow, (dx, dy) in zip(flows, OFFSETS))


def step(water, fixed):
    height, *flows = water
    # Without the barriers XLA computes head, flows and share again for each of their readers.
    done = jax.lax.optimization_barrier
    head = done(jnp.pad(height + fixed["ground"] + fixed["smoothing"] * gain(flows), 1))
    flows = done([
        jnp.pad(fixed["keep"] * seen(flow, 0, 0) + a * b * (seen(head, 0, 0) - seen(head, dx, dy)), 1)
        for flow, (a, b), (dx, dy) in zip(flows, fixed["factors"], OFFSETS)
    ])
    outflow = sum(
        jnp.maximum(seen(flow, 0, 0), 0) - jnp.minimum(seen(flow, -dx, -dy), 0) for flow, (dx, dy) in zip(flows, OFFSETS)
    )
    share = done(jnp.pad(jnp.minimum(1, height / jnp.maximum(outflow, 1e-30)), 1))
    flows = done([
        jnp.pad(jnp.where(seen(flow, 0, 0) >= 0, seen(share, 0, 0), seen(share, dx, dy)) * seen(flow, 0, 0), 1)
        for flow, (dx, dy) in zip(flows, OFFSETS)
    ])
    return (height + gain(flows), *flows)
