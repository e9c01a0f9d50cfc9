"""The step of Ripples in 32-bit float, once for each tool in `ripples_with_…`.

A scene is six planes of (height, width), row 0 lowest: ground, which has no effect, deviations from rest, and the flows
E, N, NE, NW. Edges are closed. A step:

1. g_0 = B h, with B = [1 2 1]² / 16; h_(l+1) = R g_l, with R = [1 3 3 1]² / 64, to levels of half the size
2. from the coarsest level on, p_l = B (e_l g_l + Rᵀ p_(l+1))
3. head = p_0 + δ h + c5 L5 h + cX LX h + smoothing · (inflow − outflow of the step before)
4. flow = keep · flow + w · (head here − head there); w is 1 along an axis, 5/4 along the frame's edges, and 1/4 along
   a diagonal
5. h changes by the flows

The operators are as if the outermost cells were repeated beyond the edges. On levels whose grid has half blocks at an
edge, and nowhere else, the cells near it have other stencils: `Edges` has those of all cells at edges.
"""

import numpy

LEVELS = 8
BLUR, RESTRICT, PROLONG = range(3)


def sizes(height, width):
    """Rows and columns of each level."""
    found = [(height, width)]
    while len(found) < LEVELS:
        found.append(tuple((count + 1) // 2 for count in found[-1]))
    return found


class Edges:
    """The stencils of cells at edges, as the kernels export them: for a kind and a level, the cells, their neighbours
    and the weights. A cell is a number in its level, row by row."""

    def __init__(self, exported):
        self.exported = exported

    def of(self, kind, level):
        rows = self.exported[(self.exported[:, 0] == kind) & (self.exported[:, 1] == level)]
        width = {BLUR: 9, RESTRICT: 16, PROLONG: 4}[kind]
        pairs = rows[:, 3 : 3 + 2 * width]
        contiguous = lambda values, kind: numpy.ascontiguousarray(values, kind)
        return (
            contiguous(rows[:, 2], numpy.int32),
            contiguous(pairs[:, 0::2], numpy.int32),
            contiguous(pairs[:, 1::2], numpy.float32),
        )
