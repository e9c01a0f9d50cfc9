"""Two steps of stable fluids in 32-bit float, once for each tool: the plain one that a tutorial ends with, without its
errors, and the full one that Flow's own benchmark takes, but for its pressure.

A scene is u on the vertical faces, (height, width + 1), v on the horizontal faces, (height + 1, width), both in cells
per step, and dye of the cells, (height, width, 4), its fourth value the density. Row 0 is the lowest; all sides are
walls. A plain step:

1. forces: v gains `lift` times the mean density of the two cells at a face
2. the velocity before the forces says where each cell was a step back: the mean of its faces leads to the place half a
   step back, and the bilinear velocity there, all the way (second-order Runge-Kutta). Faces look back by the mean of
   the two cells at them. u, v and dye take the bilinear values there (semi-Lagrangian). Places are held to the places
   where the values stand.
3. divergence; `sweeps` Jacobi sweeps from the pressure of the step before, with no gradient at walls; the gradient is
   taken off, and faces at walls are 0

It is the cheapest step that the tools are known for. A full step differs in:

1. forces: confinement of the vorticity of the velocity before, too, by `confinement` and with Flow's own bounds on it
2. velocity takes the cubic of Lagrange at the place, in x of four rows, then in y; dye that of Catmull and Rom, which stays
   within the four values around the place, and all but `keep` of it is lost. Beyond an edge stands the last value before it.

What `shaders/smoke` says of it holds to the letter: Flow's air is reached to a few millionths. In place of Flow's
multigrid there are the same Jacobi sweeps.

Every class has its step's `kind`, `run(steps)`, which returns when the work is done, `reset()` to the scene's air, `state()` with u, v,
dye and the divergence that the last step's pressure was to take out, and `device` and `version` for the table.
"""


def residual(state):
    """What a projection left of the divergence before it, as root mean squares."""
    import numpy

    u, v, _, before = state
    after = (u[:, 1:] - u[:, :-1]) + (v[1:] - v[:-1])
    size = lambda plane: numpy.sqrt(numpy.mean(numpy.square(plane, dtype="f8")))
    return float(size(after) / size(before))
