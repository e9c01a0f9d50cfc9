"""Shallow water of second order as compiled loops over rows, in parallel by rows, with a ring of cells around the grid."""

import numba
import numpy
from numba import njit, prange

f = numpy.float32


class Shallow:
    """A scene is six planes: ground, height, flows E and N, speeds on the faces E and N in cells per step. A step:

    1. head = ground + height + smoothing · (inflow − outflow of the step before, where positive)
    2. speed: less what the water brings from the faces around it, in proportion to its share of the depth; plus
       gravity · drop; times keep; times d / (d + friction · |velocity|), with d the sum of both depths
    3. depth of a face = upwind depth + ½ (1 − |speed|) · (downwind − upwind depth), at most twice the upwind depth;
       flow = speed · depth
    4. share = height / outflow where that is below 1; flow = flow · share of its source cell; height changes by the flows
    """

    device = "CPU"
    version = numba.__version__

    def __init__(self, scene, constants):
        self.scene = scene
        self.constants = tuple(f(constants[name]) for name in ("keep", "smoothing", "gravity", "friction"))
        self.reset()

    def reset(self):
        padded = numpy.pad(self.scene, ((0, 0), (1, 1), (1, 1)))
        self.ground, self.water = padded[0].copy(), padded[1].copy()
        self.flow, self.speed = padded[2:4].copy(), padded[4:6].copy()
        self.next_flow, self.next_speed = numpy.zeros_like(self.flow), numpy.zeros_like(self.speed)
        self.head, self.share = numpy.zeros_like(self.water), numpy.zeros_like(self.water)

    def state(self):
        return numpy.concatenate([self.water[None], self.flow])[:, 1:-1, 1:-1]

    def run(self, steps):
        for _ in range(steps):
            heads(self.water, self.ground, self.flow, self.head, self.constants[1])
            keep, _, gravity, friction = self.constants
            before, after = (self.flow, self.speed), (self.next_flow, self.next_speed)
            accelerate(self.water, self.head, *before, *after, keep, gravity, friction)
            limit(self.water, self.next_flow, self.share)
            move(self.water, self.next_flow, self.share)
            self.flow, self.next_flow = self.next_flow, self.flow
            self.speed, self.next_speed = self.next_speed, self.speed


@njit(cache=True, parallel=True, fastmath=True)
def heads(water, ground, flow, head, smoothing):
    height, width = water.shape[0] - 2, water.shape[1] - 2
    for row in prange(height):
        y = row + 1
        to, w, g = head[y, 1:-1], water[y, 1:-1], ground[y, 1:-1]
        west, east, south, north = flow[0, y, :-2], flow[0, y, 1:-1], flow[1, y - 1, 1:-1], flow[1, y, 1:-1]
        for x in range(width):
            to[x] = w[x] + g[x] + smoothing * max(west[x] - east[x] + south[x] - north[x], f(0))


@njit(cache=True, fastmath=True, inline="always")
def brought(flow, depths, less):
    """Change of a speed by water that comes from a face whose speed is lower by `less`."""
    return less * min(max(flow, f(0)), depths)


@njit(cache=True, fastmath=True)
def faces(near, far, drop, speed, along, beside, through, across, swirls, keep, gravity, friction, flow):
    """The new speeds of a row of faces, in place of the drops, and their flows. Pairs of rows: along, beside, through,
    across."""
    (behind, ahead), (below, above) = along, beside
    for x in range(len(drop)):
        depths = near[x] + far[x]
        u = speed[x]
        changes = brought(through[0][x], depths, u - behind[x]) + brought(-through[1][x], depths, u - ahead[x])
        changes += brought(across[0][x], depths, u - below[x]) + brought(-across[1][x], depths, u - above[x])
        safe = max(depths, f(1e-30))
        held = keep * min(max(u - changes / safe + gravity * drop[x], f(-1)), f(1))
        a, b = abs(held), abs(swirls[x]) * f(0.25)
        drag = friction * (max(a, b) + f(0.375) * min(a, b))
        u = held - held * drag / (safe + drag)
        upwind, downwind = (near[x], far[x]) if u > f(0) else (far[x], near[x])
        depth = min(upwind + f(0.5) * (f(1) - abs(u)) * (downwind - upwind), f(2) * upwind)
        u = u if depth > f(0) else f(0)
        drop[x] = u
        flow[x] = u * depth


@njit(cache=True, parallel=True, fastmath=True)
def accelerate(water, head, flow, speed, next_flow, next_speed, keep, gravity, friction):
    height, width = water.shape[0] - 2, water.shape[1] - 2
    for row in prange(height):
        y = row + 1
        scratch = numpy.empty((5, width), f)
        before, after, one, other, swirls = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
        # Faces to the east.
        here, there, q, r = head[y, 1:-1], head[y, 2:], flow[0, y], flow[1]
        u, v, drop = speed[0, y], speed[1], next_speed[0, y, 1:-1]
        for x in range(width):
            drop[x] = here[x] - there[x]
            before[x], after[x] = q[x] + q[x + 1], q[x + 1] + q[x + 2]
        south, north = r[y - 1], r[y]
        for x in range(width):
            one[x], other[x] = south[x + 1] + south[x + 2], north[x + 1] + north[x + 2]
        south, north = v[y - 1], v[y]
        for x in range(width):
            swirls[x] = south[x + 1] + south[x + 2] + north[x + 1] + north[x + 2]
        faces(
            water[y, 1:-1], water[y, 2:], drop, u[1:-1], (u[:-2], u[2:]), (speed[0, y - 1, 1:-1], speed[0, y + 1, 1:-1]),
            (before, after), (one, other), swirls, keep, gravity, friction, next_flow[0, y, 1:-1],
        )
        next_flow[0, y, width] = next_speed[0, y, width] = f(0)
        # Faces to the north; those of the last row are closed.
        if row < height - 1:
            here, there, drop = head[y, 1:-1], head[y + 1, 1:-1], next_speed[1, y, 1:-1]
            q, r, s = flow[1, y - 1, 1:-1], flow[1, y, 1:-1], flow[1, y + 1, 1:-1]
            for x in range(width):
                drop[x] = here[x] - there[x]
                before[x], after[x] = q[x] + r[x], r[x] + s[x]
            south, north = flow[0, y], flow[0, y + 1]
            for x in range(width):
                one[x], other[x] = south[x] + north[x], south[x + 1] + north[x + 1]
            south, north = speed[0, y], speed[0, y + 1]
            for x in range(width):
                swirls[x] = south[x] + north[x] + south[x + 1] + north[x + 1]
            faces(
                water[y, 1:-1], water[y + 1, 1:-1], drop, speed[1, y, 1:-1],
                (speed[1, y - 1, 1:-1], speed[1, y + 1, 1:-1]), (speed[1, y, :-2], speed[1, y, 2:]),
                (before, after), (one, other), swirls, keep, gravity, friction, next_flow[1, y, 1:-1],
            )


@njit(cache=True, parallel=True, fastmath=True)
def limit(water, flow, share):
    height, width = water.shape[0] - 2, water.shape[1] - 2
    zero, least = f(0), f(1e-30)
    for row in prange(height):
        y = row + 1
        to, w = share[y, 1:-1], water[y, 1:-1]
        west, east, south, north = flow[0, y, :-2], flow[0, y, 1:-1], flow[1, y - 1, 1:-1], flow[1, y, 1:-1]
        for x in range(width):
            out = max(east[x], zero) + max(north[x], zero) - min(west[x], zero) - min(south[x], zero)
            to[x] = min(f(1), w[x] / max(out, least))


@njit(cache=True, parallel=True, fastmath=True)
def move(water, flow, share):
    height, width = water.shape[0] - 2, water.shape[1] - 2
    zero = f(0)
    for row in prange(height):
        y = row + 1
        own = share[y, 1:-1]
        for pipe in range(2):
            q, there = flow[pipe, y, 1:-1], share[y, 2:] if pipe == 0 else share[y + 1, 1:-1]
            for x in range(width):
                q[x] = max(q[x], zero) * own[x] + min(q[x], zero) * there[x]
    for row in prange(height):
        y = row + 1
        w = water[y, 1:-1]
        west, east, south, north = flow[0, y, :-2], flow[0, y, 1:-1], flow[1, y - 1, 1:-1], flow[1, y, 1:-1]
        for x in range(width):
            w[x] += west[x] - east[x] + south[x] - north[x]
