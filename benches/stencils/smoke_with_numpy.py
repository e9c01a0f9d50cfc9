"""Whole-array arithmetic and gathers."""

import numpy


class Numpy:
    kind = "plain"
    device = "CPU"
    version = numpy.__version__

    def __init__(self, scene, constants):
        self.scene, self.lift, self.sweeps = scene, numpy.float32(constants["lift"]), constants["sweeps"]
        self.reset()

    def reset(self):
        self.u, self.v, self.dye = (plane.copy() for plane in self.scene)
        self.pressure = numpy.zeros(self.dye.shape[:2], numpy.float32)

    def state(self):
        return self.u, self.v, self.dye, self.divergence

    def run(self, steps):
        for _ in range(steps):
            self.step()

    def step(self):
        u, v, dye, half = self.u, self.v, self.dye, numpy.float32(0.5)
        forced = v.copy()
        forced[1:-1] += self.lift * half * (dye[:-1, :, 3] + dye[1:, :, 3])
        # Displacements of the cells, and of the faces between them.
        x, y = offsets = look_back(u, v)
        along = [half * (plane[:, 1:] + plane[:, :-1]) for plane in offsets]
        across = [half * (plane[1:] + plane[:-1]) for plane in offsets]
        self.dye = offset(dye, x, y)
        self.u, self.v = numpy.zeros_like(u), numpy.zeros_like(v)
        self.u[:, 1:-1] = offset(u, *along, column=1)
        self.v[1:-1] = offset(forced, *across, row=1)
        u, v = self.u, self.v
        self.divergence = (u[:, 1:] - u[:, :-1]) + (v[1:] - v[:-1])
        pressure = self.pressure
        for _ in range(self.sweeps):
            p = numpy.pad(pressure, 1, "edge")
            around = (p[1:-1, :-2] + p[1:-1, 2:]) + (p[:-2, 1:-1] + p[2:, 1:-1])
            pressure = numpy.float32(0.25) * (around - self.divergence)
        self.pressure = pressure
        u[:, 1:-1] -= pressure[:, 1:] - pressure[:, :-1]
        v[1:-1] -= pressure[1:] - pressure[:-1]


def look_back(u, v):
    """Offsets from the cells to where they were."""
    half = numpy.float32(0.5)
    x, y = -half * half * (u[:, 1:] + u[:, :-1]), -half * half * (v[1:] + v[:-1])
    return -offset(u, x + half, y), -offset(v, x, y + half)


def offset(values, x, y, row=0, column=0):
    """Bilinear, at offsets from the values, the first ones from that at `row` and `column`."""
    rows, columns = x.shape
    x = x + numpy.arange(column, column + columns, dtype=numpy.float32)
    y = y + numpy.arange(row, row + rows, dtype=numpy.float32)[:, None]
    rows, columns = values.shape[:2]
    x, y = numpy.clip(x, 0, numpy.float32(columns - 1)), numpy.clip(y, 0, numpy.float32(rows - 1))
    i, j = numpy.minimum(x.astype(numpy.intp), columns - 2), numpy.minimum(y.astype(numpy.intp), rows - 2)
    s, t = x - i.astype(numpy.float32), y - j.astype(numpy.float32)
    if values.ndim == 3:
        s, t = s[..., None], t[..., None]
    # One index into the rows laid end to end is gathered faster than two.
    flat, at = values.reshape(rows * columns, *values.shape[2:]), j * columns + i
    take = lambda more: numpy.take(flat, at + more, axis=0)
    low = take(0) + (take(1) - take(0)) * s
    high = take(columns) + (take(columns + 1) - take(columns)) * s
    return low + (high - low) * t
