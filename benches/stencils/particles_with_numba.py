"""Compiled loops in parallel: over particles, and over bands of rows. Sprites are sorted into bands by counting; within a
band they are drawn in the order of their numbers, or from the nearest to the farthest."""

import numba
import numpy
from numba import njit, prange

FAST = {"fastmath": True, "error_model": "numpy"}
BAND = 16

f = numpy.float32
HALF, ONE, TWO, SIXTH = f(0.5), f(1), f(2), f(1 / 6)


class Numba:
    version = numba.__version__

    def __init__(self, positions, air, constants):
        self.positions, self.air, self.constants = positions, air, constants
        self.after = positions.copy()
        self.colour = numpy.array(constants["colour"] + [1.0], f)

    def step(self):
        advance(self.positions, self.air, self.after)
        return self.after

    def sprites(self):
        width, height = self.constants["size"]
        return project(self.positions, f(self.constants["distance"]), f(self.constants["diameter"] / 2), width, height)

    def additive(self):
        width, height = self.constants["size"]
        sprites = self.sprites()
        starts, members = bands(sprites, height)
        return draw(sprites, starts, members, self.colour, f(self.constants["opacity"]), width, height, False)

    def over(self):
        width, height = self.constants["size"]
        sprites = self.sprites()
        sprites = sprites[numpy.argsort(sprites[:, 3], kind="stable")]
        starts, members = bands(sprites, height)
        return draw(sprites, starts, members, self.colour, f(self.constants["opacity"]), width, height, True)


@njit(**FAST)
def velocity(air, x, y):
    rows, columns = air.shape[:2]
    x, y = x - HALF, y - HALF
    i = min(max(int(x), 0), columns - 2)
    j = min(max(int(y), 0), rows - 2)
    s, t = x - f(i), y - f(j)
    a, b, c, d = (ONE - s) * (ONE - t), s * (ONE - t), (ONE - s) * t, s * t
    u = air[j, i, 0] * a + air[j, i + 1, 0] * b + air[j + 1, i, 0] * c + air[j + 1, i + 1, 0] * d
    v = air[j, i, 1] * a + air[j, i + 1, 1] * b + air[j + 1, i, 1] * c + air[j + 1, i + 1, 1] * d
    return u, v


@njit(parallel=True, **FAST)
def advance(positions, air, after):
    for n in prange(len(positions)):
        x, y = positions[n, 0], positions[n, 1]
        au, av = velocity(air, x, y)
        bu, bv = velocity(air, x + au * HALF, y + av * HALF)
        cu, cv = velocity(air, x + bu * HALF, y + bv * HALF)
        du, dv = velocity(air, x + cu, y + cv)
        after[n, 0] = x + (au + TWO * (bu + cu) + du) * SIXTH
        after[n, 1] = y + (av + TWO * (bv + cv) + dv) * SIXTH
        after[n, 2] = positions[n, 2]


@njit(parallel=True, **FAST)
def project(positions, distance, radius, width, height):
    """Place, radius and distance of each sprite."""
    sprites = numpy.empty((len(positions), 4), numpy.float32)
    x, y = f(width) * HALF, f(height) * HALF
    for n in prange(len(positions)):
        depth = distance - positions[n, 2]
        scale = distance / depth
        sprites[n, 0] = (positions[n, 0] - x) * scale + x
        sprites[n, 1] = (positions[n, 1] - y) * scale + y
        sprites[n, 2] = radius * scale
        sprites[n, 3] = depth
    return sprites


@njit(**FAST)
def bands(sprites, height):
    """The sprites over each band of rows, in their order."""
    count = (height + BAND - 1) // BAND
    starts = numpy.zeros(count + 1, numpy.int64)
    for n in range(len(sprites)):
        low = max(int(sprites[n, 1] - sprites[n, 2]) // BAND, 0)
        high = min(int(sprites[n, 1] + sprites[n, 2]) // BAND, count - 1)
        for band in range(low, high + 1):
            starts[band + 1] += 1
    for band in range(count):
        starts[band + 1] += starts[band]
    members = numpy.empty(starts[count], numpy.int32)
    at = starts.copy()
    for n in range(len(sprites)):
        low = max(int(sprites[n, 1] - sprites[n, 2]) // BAND, 0)
        high = min(int(sprites[n, 1] + sprites[n, 2]) // BAND, count - 1)
        for band in range(low, high + 1):
            members[at[band]] = n
            at[band] += 1
    return starts, members


@njit(parallel=True, **FAST)
def draw(sprites, starts, members, colour, opacity, width, height, covers):
    picture = numpy.zeros((height, width, 4), numpy.float32)
    for band in prange(len(starts) - 1):
        for member in range(starts[band], starts[band + 1]):
            x, y, radius, _ = sprites[members[member]]
            inverse = ONE / (radius * radius)
            for row in range(max(int(y - radius), band * BAND), min(int(y + radius) + 1, (band + 1) * BAND, height)):
                for column in range(max(int(x - radius), 0), min(int(x + radius) + 1, width)):
                    across, up = f(column) + HALF - x, f(row) + HALF - y
                    rest = ONE - (across * across + up * up) * inverse
                    if rest > 0:
                        alpha = rest * rest * opacity
                        if covers:
                            alpha *= ONE - picture[row, column, 3]
                            picture[row, column, 3] += alpha
                        for channel in range(3):
                            picture[row, column, channel] += alpha * colour[channel]
    return picture
