"""A step of smoke in three dimensions in 32-bit float, once for each tool: Flow's plain step, but for its pressure and
its cubic of the scalars.

A state is u, v, w on the faces of n³ cells, (n, n, n + 1), (n, n + 1, n) and (n + 1, n, n), in cells per step, four
scalars of the cells, (n, n, n, 4), of which the first is the density and the second the temperature, and the
pressure. The order of axes is z, y, x, and y points upwards. All sides are open: the pressure beyond them is 0, and a
value beyond them is the nearest one. A step:

1. the emitter, a ball with a soft rim, fills its cells up to its density and temperature
2. forces: buoyancy by the temperature, and confinement of the vorticity (Fedkiw, Stam and Jensen 2001)
3. displacements of the cells back and forth by the velocity before the forces, by the midpoint rule; that of a face is
   the mean of those of its two cells
4. the velocity and the scalars are advected by MacCormack's method (Selle et al. 2008), clamped to the eight values
   around the backtraced position
5. divergence; `sweeps` Jacobi sweeps from the pressure of the step before; the gradient is subtracted

Flow has Catmull and Rom's cubic of the scalars instead, and multigrid. Every class has `run(steps)`, which returns when
the work is done, `keep()`, which makes the present state the one that `reset()` returns to, `state()` with u, v, w, the
scalars and the right-hand side of the last step's pressure, and `version` and `threads` for the table.
"""

import numpy


def coverage(plume):
    """The emitter's coverage of the cells around it, and the first of these cells along each axis, all in z, y, x."""
    centre, radius = numpy.array(plume["centre"][::-1]), plume["radius"]
    rim = max(plume["softness"] * (radius + 0.5), 1.0)
    first = numpy.floor(centre - radius - 1).astype(int)
    count = int(2 * radius + 4)
    z, y, x = (numpy.arange(count) + first[axis] + 0.5 - centre[axis] for axis in range(3))
    distance = numpy.sqrt(z[:, None, None] ** 2 + y[:, None] ** 2 + x**2) - radius
    t = numpy.clip((0.5 - distance) / rim, 0, 1)
    return (t * t * (3 - 2 * t)).astype("f4"), [int(cell) for cell in first]


def residual(state):
    """What a projection left of the divergence before it, as root mean squares."""
    u, v, w, _, before = state
    after = (u[:, :, 1:] - u[:, :, :-1]) + (v[:, 1:] - v[:, :-1]) + (w[1:] - w[:-1])
    size = lambda field: numpy.sqrt(numpy.mean(numpy.square(field, dtype="f8")))
    return float(size(after) / size(before))


def figures(state):
    """Sum of the density, its mean height above the floor in cells, and the largest velocity; a NaN shows in one."""
    density = state[3][..., 0].sum(axis=(0, 2), dtype="f8")
    height = (density * (numpy.arange(len(density)) + 0.5)).sum() / density.sum()
    return float(density.sum()), float(height), float(max(abs(face).max() for face in state[:3]))
