"""Shallow water of second order in Taichi's own parallel loops over fields; `shallow_with_numba` describes the step."""

import os

os.environ.setdefault("ENABLE_TAICHI_HEADER_PRINT", "0")

import numpy
import taichi as ti

from .with_taichi import Fields, device


class Shallow(Fields):
    def __init__(self, scene, constants, gpu):
        self.device = device(gpu)
        _, height, width = scene.shape
        self.scene = scene
        plane = lambda: ti.field(ti.f32, (height, width))
        pair = lambda: ti.Vector.field(2, ti.f32, (height, width), layout=ti.Layout.SOA)
        self.ground, self.water, self.head, self.share = (plane() for _ in range(4))
        self.flow, self.speed, self.next_flow, self.next_speed = (pair() for _ in range(4))
        self.step = self.kernel(height, width, constants)
        self.reset()

    def reset(self):
        self.ground.from_numpy(self.scene[0])
        self.water.from_numpy(self.scene[1])
        self.flow.from_numpy(numpy.ascontiguousarray(numpy.moveaxis(self.scene[2:4], 0, -1)))
        self.speed.from_numpy(numpy.ascontiguousarray(numpy.moveaxis(self.scene[4:6], 0, -1)))
        ti.sync()

    def kernel(self, height, width, constants):
        ground, water, head, share = self.ground, self.water, self.head, self.share
        flow, speed, next_flow, next_speed = self.flow, self.speed, self.next_flow, self.next_speed
        keep, smoothing, gravity, friction = (
            constants[name] for name in ("keep", "smoothing", "gravity", "friction")
        )

        @ti.func
        def at(field: ti.template(), y, x, p: ti.template()):
            """A flow or speed; 0 beyond the edges."""
            value = 0.0
            if 0 <= y < height and 0 <= x < width:
                value = field[y, x][p]
            return value

        @ti.func
        def gain(y, x):
            """Inflow less outflow."""
            return at(flow, y, x - 1, 0) - flow[y, x][0] + at(flow, y - 1, x, 1) - flow[y, x][1]

        @ti.func
        def brought(q, depths, less):
            return less * ti.min(ti.max(q, 0.0), depths)

        @ti.func
        def face(y, x, p: ti.template()):
            # Offsets along the normal, and across.
            dx, dy = ti.static(1 - p), ti.static(p)
            o = ti.static(1 - p)
            near, far, u = water[y, x], water[y + dy, x + dx], speed[y, x][p]
            depths = near + far
            q = flow[y, x][p]
            changes = brought(at(flow, y - dy, x - dx, p) + q, depths, u - at(speed, y - dy, x - dx, p))
            ahead = at(flow, y + dy, x + dx, p)
            changes += brought(-(q + ahead), depths, u - at(speed, y + dy, x + dx, p))
            low = at(flow, y - dx, x - dy, o) + at(flow, y - dx + dy, x - dy + dx, o)
            changes += brought(low, depths, u - at(speed, y - dx, x - dy, p))
            high = flow[y, x][o] + at(flow, y + dy, x + dx, o)
            changes += brought(-high, depths, u - at(speed, y + dx, x + dy, p))
            swirl = at(speed, y - dx, x - dy, o) + at(speed, y - dx + dy, x - dy + dx, o)
            swirl += speed[y, x][o] + at(speed, y + dy, x + dx, o)
            safe = ti.max(depths, 1e-30)
            pulled = u - changes / safe + gravity * (head[y, x] - head[y + dy, x + dx])
            held = keep * ti.min(ti.max(pulled, -1.0), 1.0)
            a, b = ti.abs(held), ti.abs(swirl) * 0.25
            drag = friction * (ti.max(a, b) + 0.375 * ti.min(a, b))
            u = held - held * drag / (safe + drag)
            upwind, downwind = near, far
            if u <= 0.0:
                upwind, downwind = far, near
            depth = ti.min(upwind + 0.5 * (1.0 - ti.abs(u)) * (downwind - upwind), 2.0 * upwind)
            if depth <= 0.0:
                u = 0.0
            next_speed[y, x][p] = u
            next_flow[y, x][p] = u * depth

        @ti.kernel
        def step():
            for y, x in head:
                head[y, x] = water[y, x] + ground[y, x] + smoothing * ti.max(gain(y, x), 0.0)
            for y, x in next_flow:
                if x < width - 1:
                    face(y, x, 0)
                if y < height - 1:
                    face(y, x, 1)
            for y, x in share:
                out = ti.max(next_flow[y, x], 0.0).sum()
                out -= ti.min(at(next_flow, y, x - 1, 0), 0.0) + ti.min(at(next_flow, y - 1, x, 1), 0.0)
                value = 1.0
                if out > water[y, x]:
                    value = water[y, x] / out
                share[y, x] = value
            for y, x in flow:
                q = next_flow[y, x]
                own = share[y, x]
                if x < width - 1:
                    flow[y, x][0] = ti.max(q[0], 0.0) * own + ti.min(q[0], 0.0) * share[y, x + 1]
                if y < height - 1:
                    flow[y, x][1] = ti.max(q[1], 0.0) * own + ti.min(q[1], 0.0) * share[y + 1, x]
                speed[y, x] = next_speed[y, x]
            for y, x in water:
                water[y, x] += gain(y, x)

        return step
