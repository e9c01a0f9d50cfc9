"""Whole arrays. Sprites are added pixel by pixel of a disc, all particles at once; over is not possible this way."""

import numpy

f = numpy.float32


class Numpy:
    version = numpy.__version__

    def __init__(self, positions, air, constants):
        self.positions, self.air, self.constants = positions, air, constants

    def velocity(self, place):
        rows, columns = self.air.shape[:2]
        x, y = (place - f(0.5)).T
        i, j = (numpy.clip(q.astype("i4"), 0, n - 2) for q, n in ((x, columns), (y, rows)))
        s, t = ((q - n)[:, None] for q, n in ((x, i), (y, j)))
        low = self.air[j, i] * (1 - s) + self.air[j, i + 1] * s
        high = self.air[j + 1, i] * (1 - s) + self.air[j + 1, i + 1] * s
        return low * (1 - t) + high * t

    def step(self):
        place = self.positions[:, :2]
        a = self.velocity(place)
        b = self.velocity(place + a * f(0.5))
        c = self.velocity(place + b * f(0.5))
        d = self.velocity(place + c)
        after = self.positions.copy()
        after[:, :2] += (a + f(2) * (b + c) + d) / f(6)
        return after

    def additive(self):
        constants = self.constants
        width, height = constants["size"]
        scale = constants["distance"] / (constants["distance"] - self.positions[:, 2])
        middle = numpy.array([width / 2, height / 2], f)
        place = (self.positions[:, :2] - middle) * scale[:, None] + middle
        radius = f(constants["diameter"] / 2) * scale
        picture = numpy.zeros((height * width, 4), f)
        first = numpy.floor(place - radius[:, None]).astype("i4")
        side = int(numpy.ceil(2 * radius.max())) + 1
        colour = [f(value * constants["opacity"]) for value in constants["colour"]]
        for row in range(side):
            for column in range(side):
                x, y = first[:, 0] + column, first[:, 1] + row
                square = ((x + f(0.5) - place[:, 0]) ** 2 + (y + f(0.5) - place[:, 1]) ** 2) / radius**2
                rest = numpy.maximum(1 - square, 0)
                there = (rest > 0) & (x >= 0) & (x < width) & (y >= 0) & (y < height)
                pixels, cover = (y * width + x)[there], (rest * rest)[there]
                light = numpy.bincount(pixels, cover, height * width).astype(f)
                for channel in range(3):
                    picture[:, channel] += light * colour[channel]
        return picture
