"""A plain step of a plume in three dimensions in other programs: milliseconds and CPU-seconds as JSON lines.

The plume is that of Flow's own benchmark, written by `cargo bench --bench volume -- --export DIR`, with as many frames
of run-in; before numba or Taichi is timed, its smoke must have risen as far as Flow's. `stencils/volume.py` says what
their step is, and `mantaflow.py` what Mantaflow's time includes. Each peer runs in a process of its own, on all cores.
`cargo xtask bench` runs this file.
"""

import importlib
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from peers import main, say
from stencils import Missing

# Module of each peer; Mantaflow is a program.
PEERS = {"numba": "volume_with_numba", "Taichi": "volume_with_taichi", "Mantaflow": None}

# Jacobi sweeps of a step.
SWEEPS = 50
# Largest differences from Flow's plume, as shares: of the sum of the density, and of its mean height above the
# emitter's centre. Flow's pressure is closer to the exact one, and its cubic of the scalars sharper.
SUM, HEIGHT = 0.1, 0.2
# Least number of measured steps.
RUNS = 3


def run(peer, given):
    try:
        import numpy
    except ImportError:
        say(row="missing", peer=peer, why="NumPy is not installed")
        return
    plume = json.loads((given.scenes / "plume.json").read_text())
    name = f"{plume['cells']}³ plain {peer}"
    if not all(text in name for text in given.filter):
        return
    print(name, file=sys.stderr)
    if PEERS[peer] is None:
        mantaflow(peer, plume)
        return
    try:
        volume = importlib.import_module("stencils.volume")
        tool = importlib.import_module(f"stencils.{PEERS[peer]}").Volume(plume, SWEEPS)
    except (ImportError, Missing) as error:
        say(row="missing", peer=peer, why=str(error))
        return
    tool.run(plume["frames"])
    smoke, height, speed = volume.figures(tool.state())
    flows = plume["flow"]
    start = plume["centre"][1]
    wrong = [abs(smoke / flows["smoke"] - 1), abs(height - flows["height"]) / (flows["height"] - start)]
    if not (wrong[0] <= SUM and wrong[1] <= HEIGHT and math.isfinite(speed)):
        say(row="failed", peer=peer, why=f"its smoke {smoke}, at height {height}, differs from Flow's")
        return
    tool.keep()
    times = measure(tool, given.seconds)
    walls, cpus = zip(*times)
    say(
        row="volumepeer", peer=peer, task="step", version=tool.version, cells=plume["cells"], threads=tool.threads,
        runs=len(times), least=min(walls) * 1e3, median=statistics.median(walls) * 1e3, cpu=statistics.median(cpus),
        residual=volume.residual(tool.state()), sweeps=SWEEPS, smoke=smoke, height=height, speed=speed,
    )


def measure(tool, budget):
    """Seconds, and CPU-seconds of all threads, of the same step again and again."""
    times, begun = [], time.perf_counter()
    while len(times) < RUNS or time.perf_counter() - begun < budget:
        tool.reset()
        start = time.perf_counter(), time.process_time()
        tool.run(1)
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return times


def mantaflow(peer, plume):
    blender = shutil.which("blender")
    if blender is None:
        say(row="missing", peer=peer, why="there is no program blender on PATH")
        return
    script = Path(__file__).with_name("mantaflow.py")
    command = [blender, "--background", "--factory-startup", "--python-exit-code", "1", "--python", str(script)]
    done = subprocess.run(
        command + ["--", str(plume["cells"]), str(RUNS)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not found:
        print(done.stdout, end="", file=sys.stderr)
        say(row="failed", peer=peer, why=f"Blender ended with {done.returncode}")
        return
    result = found[-1]
    for task in ("frame", "step", "writing"):
        if task in result:
            say(
                row="volumepeer", peer=peer, task=task, version=result["version"], cells=result["cells"],
                threads=os.cpu_count(), runs=result["runs"], residual=result["residual"], speed=result["speed"],
                **result[task],
            )


if __name__ == "__main__":
    main(PEERS, __file__, __doc__, run)
