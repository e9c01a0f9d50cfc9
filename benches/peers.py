"""The same stencil in other tools, in 32-bit float: million cell-steps per second as JSON lines.

Scenes and coefficients are the kernels' own, written by `cargo bench --bench kernels -- --export DIR`; before a peer is
timed, it must come to the kernels' water on a small grid. Each peer runs in a process of its own, on all cores. A peer
that is not installed prints a line that says so. `cargo xtask bench` runs this file.
"""

import argparse
import importlib
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from stencils import Missing

# Module, class and arguments of each peer, by model.
PEERS = {
    "NumPy": {"pipes": ("with_numpy", "Numpy", {})},
    "numba": {
        "pipes": ("with_numba", "Naive", {}),
        "shallow": ("shallow_with_numba", "Shallow", {}),
        "ripples": ("ripples_with_numba", "Ripples", {}),
    },
    "numba, padded and branch-free": {"pipes": ("with_numba", "Padded", {})},
    "Taichi": {
        "pipes": ("with_taichi", "Taichi", {"gpu": False}),
        "shallow": ("shallow_with_taichi", "Shallow", {"gpu": False}),
        "ripples": ("ripples_with_taichi", "Ripples", {"gpu": False}),
    },
    "JAX": {"pipes": ("with_jax", "Jax", {"gpu": False})},
    "Taichi, GPU": {
        "pipes": ("with_taichi", "Taichi", {"gpu": True}),
        "shallow": ("shallow_with_taichi", "Shallow", {"gpu": True}),
        "ripples": ("ripples_with_taichi", "Ripples", {"gpu": True}),
    },
    "JAX, GPU": {"pipes": ("with_jax", "Jax", {"gpu": True})},
    "CuPy, RawKernel": {"pipes": ("with_cupy", "Cupy", {})},
}

# Steps after which the water starts over, as in the kernels' benchmark.
STEPS_MAX = 128
# Largest difference of a height or flow, of up to 1.4, between fixed point and float after the check's 24 steps: two to
# three times the measured one. Fixed point rounds each flow to a unit, 2^-25 of a height or, in Ripples, 2^-20. Shallow
# water also computes shares of the depth in 16 bits, and Ripples heads of up to 20, whose last digit is 2^-19 in float.
# The first order differs by 2e-2, and a coefficient of level 1 that is wrong by a hundredth by 2e-3.
TOLERANCES = {"pipes": 2e-5, "shallow": 1e-4, "ripples": 1e-4}


def main(known, file, description, run):
    """What the command line asks for: each of the `known` peers, by running `file` again, or one alone, by `run`."""
    arguments = argparse.ArgumentParser(description=description)
    arguments.add_argument("--scenes", type=Path, required=True, help="folder that the kernels exported to")
    arguments.add_argument("--seconds", type=float, default=1.0, help="seconds of measuring per row")
    arguments.add_argument("--peer", choices=known, help="this one alone, in this process")
    arguments.add_argument("--filter", action="append", default=[], help="only rows whose name contains this text")
    given = arguments.parse_args()
    if given.peer:
        run(given.peer, given)
        return
    for peer in known:
        command = [sys.executable, file, "--peer", peer, "--scenes", str(given.scenes)]
        command += ["--seconds", str(given.seconds)] + [f"--filter={text}" for text in given.filter]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        print(done.stdout, end="", flush=True)
        if done.returncode != 0:
            print(done.stderr, end="", file=sys.stderr)
            say(row="failed", peer=peer, why=f"ended with {done.returncode}")


def say(**fields):
    print(json.dumps(fields), flush=True)


def run(peer, given):
    try:
        import numpy
    except ImportError:
        say(row="missing", peer=peer, why="NumPy is not installed")
        return
    scenes = json.loads((given.scenes / "scenes.json").read_text())
    named = lambda case, steps: "{}, {}x{} {} plain {} {} step{}".format(
        peer, case["width"], case["height"], case["scene"], case["model"], steps, "" if steps == 1 else "s"
    )
    wanted = lambda case, steps: all(text in named(case, steps) for text in given.filter)
    for model, (module, name, options) in PEERS[peer].items():
        cases = [case for case in scenes["cases"] if case["model"] == model]
        cases = [(case, steps) for case in cases for steps in case["steps"] if wanted(case, steps)]
        if not cases:
            continue
        try:
            stencil = getattr(importlib.import_module(f"stencils.{module}"), name)
            make = lambda scene, size: load(stencil, given.scenes, scenes, model, scene, size, options)
            difference, device, version = check(make, given.scenes, scenes, model)
        except (ImportError, Missing) as error:
            say(row="missing", peer=peer, why=str(error))
            return
        if not difference <= TOLERANCES[model]:
            say(row="failed", peer=peer, why=f"its water ({model}) differs from the kernels' by {difference}")
            continue
        for case, steps in cases:
            print(named(case, steps), file=sys.stderr)
            size = (case["width"], case["height"])
            times = measure(make(case["scene"], size), steps, given.seconds)
            speed = lambda seconds: size[0] * size[1] * steps / seconds / 1e6
            say(
                row="peer", peer=peer, device=device, version=version, width=size[0], height=size[1],
                scene=case["scene"], model=model, steps=steps, runs=len(times), difference=difference,
                least_seconds=min(times), median_seconds=statistics.median(times), best=speed(min(times)),
                median=speed(statistics.median(times)),
            )


def load(stencil, folder, scenes, model, scene, size, options):
    """A peer with the water of a scene."""
    import numpy

    constants = dict(scenes["models"][model])
    edges = folder / "{}-{}x{}-edges.npy".format(model, *size)
    if edges.exists():
        constants["edges"] = numpy.load(edges)
    return stencil(numpy.load(folder / "{}-{}-{}x{}.npy".format(model, scene, *size)), constants, **options)


def check(make, folder, scenes, model):
    """The largest difference of a height or flow from the kernels', after some steps on a small grid; the device; the
    version."""
    import numpy

    worst, size = 0.0, scenes["check"]["size"]
    for scene in sorted({case["scene"] for case in scenes["cases"] if case["model"] == model}):
        peer = make(scene, size)
        peer.run(scenes["check"]["steps"])
        truth = numpy.load(folder / "{}-{}-{}x{}-after.npy".format(model, scene, *size))
        # Heights, then flows; a NaN anywhere counts.
        state = peer.state()
        difference = numpy.abs(state - truth[1 : 1 + len(state)]).max()
        worst = max(worst, difference) if difference == difference else float("inf")
    return float(worst), peer.device, peer.version


def measure(peer, steps, budget):
    """Seconds of each frame of `steps` steps."""
    times, begun, age = [], None, 0
    while begun is None or len(times) < 3 or time.perf_counter() - begun < budget:
        if age + steps > STEPS_MAX:
            peer.reset()
            age = 0
        start = time.perf_counter()
        peer.run(steps)
        passed = time.perf_counter() - start
        age += steps
        if begun is None:
            # The first one compiles and warms up.
            begun = time.perf_counter()
        else:
            times.append(passed)
    return times


if __name__ == "__main__":
    main(PEERS, __file__, __doc__, run)
