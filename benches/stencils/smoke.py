"""Two steps of stable fluids in 32-bit float, once for each tool: the plain one that a tutorial ends with, without its
errors, and the full one that Flow's own benchmark takes, but for its pressure.

A scene is u on the vertical faces, (height, width + 1), v on the horizontal faces, (height + 1, width), both in cells
per step, and dye of the cells, (height, width, 4), its fourth value the density. Row 0 is the lowest; all sides are
walls. A plain step:

1. forces: v gains `lift` times the mean density of the two cells at a face
2. backtraces by the velocity before the forces: the mean of a cell's faces leads to the midpoint, and the bilinear
   velocity there gives the displacement of the step (second-order Runge-Kutta). A face has the mean displacement of
   its two cells. u, v and dye take the bilinear values at the backtraced positions (semi-Lagrangian). Sample positions
   are clamped to the range of the values' positions.
3. divergence; `sweeps` Jacobi sweeps from the pressure of the step before, with no gradient at walls; the gradient is
   subtracted, and faces at walls are 0

It is the cheapest known step of these tools. A full step differs in:

1. forces: confinement of the vorticity of the velocity before, too, by `confinement` and with Flow's own bounds on it
2. velocity takes Lagrange's cubic at the sample position, in x of four rows, then in y; dye takes that of Catmull and Rom,
   clamped to the four values around the position, and is multiplied by `keep`. Beyond an edge the last value repeats.

The full step follows `shaders/smoke` exactly: its result differs from Flow's air by a few millionths. Jacobi sweeps
replace Flow's multigrid.

Every class has its step's `kind`, `run(steps)`, which returns when the work is done, `reset()` to the scene's air,
`state()` with u, v, dye and the right-hand side of the last step's pressure, and `device` and `version` for the table.
"""


def residual(state):
    """What a projection left of the divergence before it, as root mean squares."""
    import numpy

    u, v, _, before = state
    after = (u[:, 1:] - u[:, :-1]) + (v[1:] - v[:-1])
    size = lambda plane: numpy.sqrt(numpy.mean(numpy.square(plane, dtype="f8")))
    return float(size(after) / size(before))
