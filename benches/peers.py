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

# Module, class and arguments of each peer.
PEERS = {
    "NumPy": ("with_numpy", "Numpy", {}),
    "numba": ("with_numba", "Naive", {}),
    "numba, padded and branch-free": ("with_numba", "Padded", {}),
    "Taichi": ("with_taichi", "Taichi", {"gpu": False}),
    "JAX": ("with_jax", "Jax", {"gpu": False}),
    "Taichi, GPU": ("with_taichi", "Taichi", {"gpu": True}),
    "JAX, GPU": ("with_jax", "Jax", {"gpu": True}),
    "CuPy, RawKernel": ("with_cupy", "Cupy", {}),
}

# Steps after which the water starts over, as in the kernels' benchmark.
STEPS_MAX = 128
# Largest difference of a height, of up to 1.4, between fixed point and float after the check's steps.
TOLERANCE = 2e-5


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
    constants = json.loads((given.scenes / "constants.json").read_text())
    cases = [
        (width, height, scene, steps)
        for width, height in constants["sizes"]
        for scene in constants["scenes"]
        for steps in (1, 8)
    ]
    named = lambda case: "{}, {}x{} {} plain pipes {} step{}".format(peer, *case, "" if case[3] == 1 else "s")
    cases = [case for case in cases if all(text in named(case) for text in given.filter)]
    if not cases:
        return
    module, name, options = PEERS[peer]
    try:
        stencil = getattr(importlib.import_module(f"stencils.{module}"), name)
        make = lambda scene: stencil(numpy.load(given.scenes / scene), constants["step"], **options)
        difference, device, version = check(make, constants["check"], constants["scenes"], given.scenes)
    except (ImportError, Missing) as error:
        say(row="missing", peer=peer, why=str(error))
        return
    if not difference <= TOLERANCE:
        say(row="failed", peer=peer, why=f"its water differs from the kernels' by {difference}")
        return
    for width, height, scene, steps in cases:
        print(named((width, height, scene, steps)), file=sys.stderr)
        times = measure(make(f"{scene}-{width}x{height}.npy"), steps, given.seconds)
        speed = lambda seconds: width * height * steps / seconds / 1e6
        say(
            row="peer", peer=peer, device=device, version=version, width=width, height=height, scene=scene,
            steps=steps, runs=len(times), difference=difference, least_seconds=min(times),
            median_seconds=statistics.median(times), best=speed(min(times)), median=speed(statistics.median(times)),
        )


def check(make, case, scenes, folder):
    """The largest difference of a height from the kernels', after some steps on a small grid; the device; the version."""
    import numpy

    worst = 0.0
    for scene in scenes:
        name = "{}-{}x{}".format(scene, *case["size"])
        peer = make(name + ".npy")
        peer.run(case["steps"])
        truth = numpy.load(folder / (name + "-after.npy"))
        # Heights, then the four flows; a NaN anywhere counts.
        difference = numpy.abs(peer.state() - truth[1:]).max()
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
