"""A step of smoke in other tools, in 32-bit float: milliseconds as JSON lines.

The air is that of Flow's own benchmark, written by `cargo bench --bench smoke -- --export DIR`; before a peer is timed,
it must come to Flow's air on a small grid, with sweeps enough to find its pressure. What a step is, `stencils/smoke.py`
says. Each peer runs in a process of its own, on all cores. `cargo xtask bench` runs this file.
"""

import importlib
import json
import statistics
import sys

from peers import main, measure, say
from stencils import Missing, smoke

# Module, class and arguments of each peer.
PEERS = {
    "NumPy": ("smoke_with_numpy", "Numpy", {}),
    "numba": ("smoke_with_numba", "Numba", {}),
    "Taichi": ("smoke_with_taichi", "Taichi", {"gpu": False}),
    "JAX": ("smoke_with_jax", "Jax", {"gpu": False}),
    "numba, full step": ("smoke_full_with_numba", "Full", {}),
    "Taichi, full step": ("smoke_full_with_taichi", "Full", {"gpu": False}),
    "JAX, full step": ("smoke_full_with_jax", "Full", {"gpu": False}),
    "Taichi, GPU": ("smoke_with_taichi", "Taichi", {"gpu": True}),
    "JAX, GPU": ("smoke_with_jax", "Jax", {"gpu": True}),
    "Taichi, full step, GPU": ("smoke_full_with_taichi", "Full", {"gpu": True}),
    "JAX, full step, GPU": ("smoke_full_with_jax", "Full", {"gpu": True}),
}

# Largest difference of a velocity or an amount of dye, both of about 1, after the check's steps.
TOLERANCE = 1e-4


def run(peer, given):
    try:
        import numpy
    except ImportError:
        say(row="missing", peer=peer, why="NumPy is not installed")
        return
    constants = json.loads((given.scenes / "constants.json").read_text())
    named = lambda size: "{}, {}x{} smoke".format(peer, *size)
    sizes = [size for size in constants["sizes"] if all(text in named(size) for text in given.filter)]
    if not sizes:
        return
    module, name, options = PEERS[peer]
    load = lambda name: tuple(numpy.load(given.scenes / f"{name}-{plane}.npy") for plane in ("u", "v", "dye"))
    sized = lambda size: "{}x{}".format(*size)
    try:
        tool = getattr(importlib.import_module(f"stencils.{module}"), name)
        check = constants["check"]
        small = tool(load(sized(check["size"])), constants["step"] | {"sweeps": check["sweeps"]}, **options)
    except (ImportError, Missing) as error:
        say(row="missing", peer=peer, why=str(error))
        return
    small.run(check["steps"])
    difference = differs(small.state(), load(sized(check["size"]) + "-after-" + small.kind))
    if not difference <= TOLERANCE:
        say(row="failed", peer=peer, why=f"its air differs from Flow's by {difference}")
        return
    for size in sizes:
        print(named(size), file=sys.stderr)
        air = tool(load(sized(size)), constants["step"], **options)
        times = [seconds * 1e3 for seconds in measure(air, 1, given.seconds)]
        say(
            row="smokepeer", peer=peer, device=air.device, version=air.version, width=size[0], height=size[1],
            runs=len(times), least=min(times), median=statistics.median(times), sweeps=constants["step"]["sweeps"],
            residual=smoke.residual(air.state()), difference=difference,
        )


def differs(air, truth):
    """The largest difference; a NaN anywhere counts."""
    worst = max(abs(mine - flows).max() for mine, flows in zip(air, truth))
    return float(worst) if worst == worst else float("inf")


if __name__ == "__main__":
    main(PEERS, __file__, __doc__, run)
