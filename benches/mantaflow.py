"""The plume in Blender's Mantaflow: a line of JSON, run by

    blender --background --factory-startup --python-exit-code 1 --python benches/mantaflow.py -- CELLS FRAMES [FILE]

A gas domain of CELLS³ cells with open sides, one step a frame, and a ball that emits density and heat; no noise, fire,
obstacles or dissolution. FRAMES frames are measured after a run-in, in the bake that Blender's button starts: per
frame Blender evaluates the scene, turns the ball into emission, takes Mantaflow's step, and writes its cache, without
compression and on a memory disk where there is one. The step and the writing are also timed alone. A frame after the
measured ones gives the residual of the pressure. FILE, where given, becomes the OpenVDB file of the last measured frame.
"""

import json
import os
import shutil
import statistics
import sys
import tempfile
import time

import bpy

# The plume of `benches/volume`: frames before the measured ones; the ball's radius and height as shares of the box; the
# acceleration of gas of temperature 1 in cells per frame² in 64³ cells, and more in proportion.
RUN_IN = 17
RADIUS, HEIGHT, BUOYANCY = 5 / 64, 0.2, 0.05
# Blender's gas accelerates by this many cells per frame² in 64³ cells in a box of two metres at a heat buoyancy of 1:
# half of gravity, 50.2272 cells per unit of time², by the square of a frame, which is 0.104167 units.
UNIT = 0.5 * 50.2272 * 0.104167**2
SIDES = ("front", "back", "left", "right", "top", "bottom")


def main():
    cells, frames, *kept = sys.argv[sys.argv.index("--") + 1 :]
    cells, frames = int(cells), int(frames)
    memory = "/dev/shm"
    cache = tempfile.mkdtemp(prefix="flow-mantaflow-", dir=memory if os.access(memory, os.W_OK) else None)
    try:
        domain = scene(cells, RUN_IN + frames + 1, cache)
        times = Times(RUN_IN, frames)
        bpy.app.handlers.frame_change_post.append(times.frame)
        if bpy.ops.fluid.bake_all() != {"FINISHED"} or len(times.frames) < frames:
            raise RuntimeError("the bake ended early")
        if kept:
            shutil.copy(os.path.join(cache, "data", f"fluid_data_{RUN_IN + frames:04}.vdb"), kept[0])
        found = {"cells": domain.resolution_max, "version": bpy.app.version_string}
        print(json.dumps(found | times.result()), flush=True)
    finally:
        shutil.rmtree(cache, ignore_errors=True)


def scene(cells, frames, cache):
    """The ball in its domain, which becomes the active object; returns the domain's settings."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    # Both first: each operator evaluates the scene, and a domain without its emitter stays without heat.
    bpy.ops.mesh.primitive_uv_sphere_add(radius=2 * RADIUS, location=(0, 0, 2 * HEIGHT - 1))
    ball = bpy.context.object
    bpy.ops.mesh.primitive_cube_add(size=2)
    box = bpy.context.object
    modifier = ball.modifiers.new("Fluid", "FLUID")
    modifier.fluid_type = "FLOW"
    flow = modifier.flow_settings
    flow.flow_type, flow.flow_behavior = "SMOKE", "INFLOW"
    # Fuel would bring two more fields; by default smoke comes from the surface alone.
    flow.fuel_amount, flow.volume_density, flow.surface_distance = 0, 1, 0.5
    modifier = box.modifiers.new("Fluid", "FLUID")
    modifier.fluid_type = "DOMAIN"
    domain = modifier.domain_settings
    domain.domain_type, domain.resolution_max = "GAS", cells
    domain.use_adaptive_domain = domain.use_noise = domain.use_dissolve_smoke = False
    domain.alpha, domain.beta, domain.vorticity = 0, BUOYANCY / UNIT, 0.1
    domain.use_adaptive_timesteps = False
    domain.timesteps_max = domain.timesteps_min = 1
    for side in SIDES:
        setattr(domain, f"use_collision_border_{side}", False)
    domain.cache_type, domain.cache_resumable, domain.cache_directory = "ALL", False, cache
    domain.cache_data_format, domain.openvdb_cache_compress_type = "OPENVDB", "NONE"
    domain.cache_frame_start, domain.cache_frame_end = 1, frames
    return domain


def clocks():
    """Seconds, and CPU-seconds of all threads."""
    return time.perf_counter(), time.process_time()


class Times:
    """Times of the frames after the run-in, and of the parts of a frame."""

    def __init__(self, run_in, frames):
        self.run_in, self.last = run_in, run_in + frames
        self.frames, self.steps, self.writes = [], [], []
        self.begun, self.now, self.residual, self.speed = None, 0, None, None

    def frame(self, scene, *_):
        """Blender calls this after each frame."""
        ended = clocks()
        if self.run_in < scene.frame_current <= self.last:
            self.frames.append(passed(self.begun, ended))
        if self.now == 0:
            self.watch()
        self.now, self.begun = scene.frame_current, clocks()

    def is_measured(self):
        # The frame before is the last one that has ended.
        return self.run_in <= self.now < self.last

    def watch(self):
        """Wraps the functions of Mantaflow's script, which Blender calls by their names in this module."""
        script = vars(sys.modules.get("__mp_main__", sys.modules["__main__"]))
        steps = [name for name in script if name.startswith("smoke_adaptive_step_")]
        if not steps:
            return
        # An earlier evaluation of the scene may have left one.
        number = steps[-1].rsplit("_", 1)[1]
        for name, times in ((f"smoke_adaptive_step_{number}", self.steps), (f"smoke_save_data_{number}", self.writes)):
            script[name] = self.timed(script[name], times)
        script["solvePressure"] = self.checked(script["solvePressure"], script, script[f"s{number}"])

    def timed(self, work, times):
        def run(*arguments, **named):
            begun = clocks()
            work(*arguments, **named)
            if self.is_measured():
                times.append(passed(begun, clocks()))

        return run

    def checked(self, solve, script, solver):
        """Measures, after the last measured frame, what the projection leaves of its right-hand side."""

        def run(**named):
            if self.now < self.last:
                return solve(**named)
            side = solver.create(script["RealGrid"])

            def size():
                given = {name: named[name] for name in ("vel", "pressure", "flags")}
                script["computePressureRhs"](rhs=side, **given)
                return side.getL2()

            before = size()
            solve(**named)
            self.residual, self.speed = size() / before, named["vel"].getMaxAbs() * solver.timestep

        return run

    def result(self):
        parts = {"frame": self.frames, "step": self.steps, "writing": self.writes}
        of = lambda times: {
            "least": min(times)[0] * 1e3,
            "median": statistics.median(wall for wall, _ in times) * 1e3,
            "cpu": statistics.median(cpu for _, cpu in times),
        }
        found = {name: of(times) for name, times in parts.items() if times}
        return found | {"runs": len(self.frames), "residual": self.residual, "speed": self.speed}


def passed(begun, ended):
    return tuple(end - begin for begin, end in zip(begun, ended))


main()
