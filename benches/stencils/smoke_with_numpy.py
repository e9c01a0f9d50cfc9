"""Whole-array arithmetic and fancy indexing."""

import numpy


class Numpy:
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
        # What blows at the faces and cells themselves.
        across = numpy.pad(half * (v[1:] + v[:-1]), ((0, 0), (1, 1)), "edge")
        along = numpy.pad(half * (u[:, 1:] + u[:, :-1]), ((1, 1), (0, 0)), "edge")
        at_u = u, half * (across[:, 1:] + across[:, :-1])
        at_v = half * (along[1:] + along[:-1]), v
        at_cells = half * (u[:, 1:] + u[:, :-1]), half * (v[1:] + v[:-1])
        carried = ((u, at_u, (0, half)), (forced, at_v, (half, 0)), (dye, at_cells, (half, half)))
        self.u, self.v, self.dye = [self.carried(*part) for part in carried]
        u, v = self.u, self.v
        u[:, 0] = u[:, -1] = v[0] = v[-1] = 0
        self.divergence = (u[:, 1:] - u[:, :-1]) + (v[1:] - v[:-1])
        pressure = self.pressure
        for _ in range(self.sweeps):
            p = numpy.pad(pressure, 1, "edge")
            around = (p[1:-1, :-2] + p[1:-1, 2:]) + (p[:-2, 1:-1] + p[2:, 1:-1])
            pressure = numpy.float32(0.25) * (around - self.divergence)
        self.pressure = pressure
        u[:, 1:-1] -= pressure[:, 1:] - pressure[:, :-1]
        v[1:-1] -= pressure[1:] - pressure[:-1]

    def carried(self, values, wind, shift):
        """Values that stand `shift` right of and above the corners, at the ends of their look back."""
        half = numpy.float32(0.5)
        rows, columns = values.shape[:2]
        y, x = numpy.mgrid[:rows, :columns].astype(numpy.float32)
        middle_x, middle_y = x - half * wind[0] + shift[0], y - half * wind[1] + shift[1]
        u = sample(self.u, middle_x, middle_y - half)
        v = sample(self.v, middle_x - half, middle_y)
        return sample(values, x - u, y - v)


def sample(values, x, y):
    """Bilinear, at places in values."""
    rows, columns = values.shape[:2]
    x, y = numpy.clip(x, 0, numpy.float32(columns - 1)), numpy.clip(y, 0, numpy.float32(rows - 1))
    i, j = numpy.minimum(x.astype(numpy.int32), columns - 2), numpy.minimum(y.astype(numpy.int32), rows - 2)
    s, t = x - i.astype(numpy.float32), y - j.astype(numpy.float32)
    if values.ndim == 3:
        s, t = s[..., None], t[..., None]
    low = values[j, i] + (values[j, i + 1] - values[j, i]) * s
    high = values[j + 1, i] + (values[j + 1, i + 1] - values[j + 1, i]) * s
    return low + (high - low) * t
