"""Particles in other tools: milliseconds as JSON lines.

Particles and air are those of Flow's own benchmark, written by `cargo bench --bench particles -- --export DIR`; before a
peer is timed, it must come to Flow's positions, and to the sums of Flow's pictures. Each peer runs in a process of its
own, on all cores. `cargo xtask bench` runs this file.

A step moves each particle by the air of a picture, bilinear between the centres of cells, by the fourth-order method of
Runge and Kutta. A picture has a soft disc `(1 - r²)²` per particle, seen by a camera before z = 0: additive, or over,
exactly sorted by the distance.
"""

import importlib
import json
import statistics

from peers import main, measure, say
from stencils import Missing

# Module and class of each peer.
PEERS = {
    "NumPy": ("particles_with_numpy", "Numpy"),
    "numba": ("particles_with_numba", "Numba"),
}

# Largest difference of a position, pixels, and of the sum of a channel, as a share of it.
TOLERANCE, LIGHT = 1e-3, 1e-2


def run(peer, given):
    try:
        import numpy
    except ImportError:
        say(row="missing", peer=peer, why="NumPy is not installed")
        return
    constants = json.loads((given.scenes / "constants.json").read_text())
    named = lambda task: "{}, {} particles {}".format(peer, constants["count"], task)
    tasks = [task for task in ("step", "additive", "over") if all(text in named(task) for text in given.filter)]
    if not tasks:
        return
    module, name = PEERS[peer]
    load = lambda name: numpy.load(given.scenes / f"{name}.npy")
    try:
        tool = getattr(importlib.import_module(f"stencils.{module}"), name)(load("before"), load("air"), constants)
    except (ImportError, Missing) as error:
        say(row="missing", peer=peer, why=str(error))
        return
    for task in tasks:
        if not hasattr(tool, task):
            continue
        work = getattr(tool, task)
        made = work()
        if task == "step":
            wrong = float(abs(made - load("after")).max())
            right = wrong <= TOLERANCE
        else:
            sums = made.reshape(-1, 4).sum(axis=0, dtype="f8")
            wrong = float(max(abs(sums - constants[task]) / numpy.maximum(constants[task], 1)))
            right = wrong <= LIGHT
        if not right:
            say(row="failed", peer=peer, why=f"its {task} differs from Flow's by {wrong}")
            continue
        times = [seconds * 1e3 for seconds in measure(Once(work), 1, given.seconds)]
        say(
            row="particlepeer", peer=peer, task=task, version=tool.version, count=constants["count"], runs=len(times),
            least=min(times), median=statistics.median(times), difference=wrong,
        )


class Once:
    """Work that starts over each time."""

    def __init__(self, work):
        self.work = work

    def reset(self):
        pass

    def run(self, steps):
        for _ in range(steps):
            self.work()


if __name__ == "__main__":
    main(PEERS, __file__, __doc__, run)
