"""Whole-array arithmetic."""

import numpy

from . import edge_factors


class Numpy:
    device = "CPU"
    version = numpy.__version__

    def __init__(self, scene, constants):
        self.scene, self.ground = scene, scene[0]
        _, height, width = scene.shape
        self.keep = numpy.float32(constants["keep"])
        self.smoothing = numpy.float32(constants["smoothing"])
        self.diagonal = numpy.float32(constants["diagonal"])
        self.along_rows = edge_factors(height, constants["cross"])[:, None]
        self.along_columns = edge_factors(width, constants["cross"])[None, :]
        self.reset()

    def reset(self):
        self.water, *self.flows = self.scene[1:].copy()

    def state(self):
        return numpy.stack([self.water, *self.flows])

    def run(self, steps):
        for _ in range(steps):
            self.step()

    # Where pipes start and where they end: E, N, NE, NW.
    STARTS = [numpy.s_[:, :-1], numpy.s_[:-1, :], numpy.s_[:-1, :-1], numpy.s_[:-1, 1:]]
    ENDS = [numpy.s_[:, 1:], numpy.s_[1:, :], numpy.s_[1:, 1:], numpy.s_[1:, :-1]]

    def gain(self):
        """Inflow less outflow."""
        gain = numpy.zeros_like(self.water)
        for flow, start, end in zip(self.flows, self.STARTS, self.ENDS):
            gain[start] -= flow[start]
            gain[end] += flow[start]
        return gain

    def step(self):
        head = self.water + self.ground + self.smoothing * self.gain()
        factors = [self.along_rows, self.along_columns, self.diagonal, self.diagonal]
        outflow = numpy.zeros_like(self.water)
        for flow, k, start, end in zip(self.flows, factors, self.STARTS, self.ENDS):
            part = flow[start]
            part *= self.keep
            part += k * (head[start] - head[end])
            outflow[start] += numpy.maximum(part, 0)
            outflow[end] -= numpy.minimum(part, 0)
        share = numpy.ones_like(self.water)
        numpy.divide(self.water, outflow, out=share, where=outflow > self.water)
        for flow, start, end in zip(self.flows, self.STARTS, self.ENDS):
            part = flow[start]
            part *= numpy.where(part >= 0, share[start], share[end])
        self.water += self.gain()
