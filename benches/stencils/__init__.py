"""The step of balanced pipes in 32-bit float, once for each tool; that of smoke is in `smoke` and `smoke_with_…`, that of
Shallow water in `shallow_with_…`, and that of Ripples in `ripples` and `ripples_with_…`.

A scene is six planes of (height, width), row 0 lowest: ground, water, and the flows E, N, NE, NW, positive from their
cell to its neighbour. Edges are closed. A step:

1. head = water + ground + smoothing · (inflow − outflow of the step before)
2. flow = keep · flow + k · (head here − head there); k of a pipe along the frame's edge is larger
3. share = water / outflow where that is below 1
4. flow = flow · share of its source cell; water changes by the flows

Every class has `run(steps)`, which returns when the work is done, `reset()` to the scene's water, `state()` with water
and flows, and `device` and `version` for the table.
"""


class Missing(Exception):
    """The device that a peer is for is not there."""


def edge_factors(length, cross):
    """Factors of the pipes along each row or column: two side diagonals are blocked at each of the frame's edges."""
    import numpy

    factors = numpy.full(length, cross[0], numpy.float32)
    if length == 1:
        factors[0] = cross[4]
    else:
        factors[0] = factors[-1] = cross[2]
    return factors
