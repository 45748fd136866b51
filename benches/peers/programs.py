"""Driftless, Rapier, MuJoCo and Bullet as `fronts.py` runs them: the same bodies, step by step, on the clock of one thread.

`Served` runs the program in `rapier/`, which steps Driftless and Rapier and measures depths. All states are arrays with a row of 13
numbers for a body: position, quaternion with w first, velocity, angular velocity, in world axes.
"""

import json
import math
import subprocess
import time

import mujoco
import numpy as np
import pybullet
from contact import ROOT, numbers

# Sides of the pyramids that stand for cones where a program has none. They are drawn around the cone, so that it never reaches
# out of them: they cost such a program no depth.
SIDES = 32


def build():
    """Builds the program in `rapier/` and returns its path."""
    manifest = ROOT / "benches/peers/rapier/Cargo.toml"
    folder = ["--target-dir", ROOT / "target/peers"]
    command = ["cargo", "build", "--release", "--manifest-path", manifest, *folder, "--message-format=json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    built = [json.loads(line).get("executable") for line in done.stdout.splitlines()]
    return next(path for path in built if path)


class Served:
    """A process that answers lines of JSON."""

    def __init__(self, path, *words):
        self.process = subprocess.Popen([path, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"ended with status {self.process.wait()}")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Stepped(Served):
    """Driftless or Rapier."""

    note = ""

    def __init__(self, path, program, scene, substeps, options):
        words = [f"{name}={value}" for name, value in options.items()]
        super().__init__(path, "step", program, scene, substeps, *words)

    def advance(self, steps):
        answer = self.ask(str(steps))
        self.note = answer["note"]
        return [(seconds, np.array(state)) for seconds, state in zip(answer["seconds"], answer["states"])]


class Local:
    """A program of this process, by `step` and `state`."""

    note = ""

    def advance(self, steps):
        done = []
        for _ in range(steps):
            start = time.thread_time()
            self.step()
            seconds = time.thread_time() - start
            done.append((seconds, self.state()))
        return done

    def close(self):
        pass


def turned(q, v):
    """A vector turned by a quaternion, w first."""
    w, u = q[0], np.asarray(q[1:])
    return v + 2 * np.cross(u, np.cross(u, v) + w * np.asarray(v))


def times(p, q):
    """The product of two quaternions, w first."""
    vector = p[0] * np.asarray(q[1:]) + q[0] * np.asarray(p[1:]) + np.cross(p[1:], q[1:])
    return np.array([p[0] * q[0] - np.dot(p[1:], q[1:]), *vector])


def shape(described):
    """Kind, sizes by name, place and quaternion (w first) of a shape."""
    geometry, pose = described["geometry"], described["pose"]
    kind, sizes = (geometry, {}) if isinstance(geometry, str) else next(iter(geometry.items()))
    x, y, z, w = pose["rotation"]
    place = np.array(pose["translation"])
    if kind == "Cone":
        # The base is drawn around its circle.
        rim = sizes["radius"] / math.cos(math.pi / SIDES)
        angles = 2 * math.pi / SIDES * np.arange(SIDES)
        base = np.stack([rim * np.cos(angles), rim * np.sin(angles), np.full(SIDES, -sizes["length"] / 4)], axis=1)
        kind, sizes = "Hull", {"vertices": np.vstack([base, [0, 0, 0.75 * sizes["length"]]])}
    return kind, sizes, place, np.array([w, x, y, z])


class MuJoCo(Local):
    """With the elliptic cone, the better of the two; `options` are attributes of `<option>`, `geom` those of shapes."""

    def __init__(self, scene, substeps, options, geom):
        rubbing = f'friction="{scene["friction"]} 0 0" condim="3" ' + " ".join(f'{k}="{v}"' for k, v in geom.items())
        assets = []
        world = "".join(self.geom(s, rubbing, assets) for s in scene["world"])
        for body in scene["bodies"]:
            inertia = np.array(body["inertia"])
            full = [inertia[i, j] for i, j in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]]
            place = f'pos="{numbers(body["state"][:3])}" quat="{numbers(body["state"][3:7])}"'
            mass = f'<inertial pos="0 0 0" mass="{body["mass"]}" fullinertia="{numbers(full)}"/>'
            shapes = "".join(self.geom(s, rubbing, assets) for s in body["shapes"])
            world += f"<body {place}><freejoint/>{mass}{shapes}</body>"
        settings = {"timestep": scene["dt"] / substeps, "gravity": numbers(scene["gravity"]), "cone": "elliptic"} | options
        settings = " ".join(f'{name}="{value}"' for name, value in settings.items())
        text = f'<mujoco><size memory="1G"/><option {settings}/><asset>{"".join(assets)}</asset><worldbody>{world}</worldbody></mujoco>'
        self.model, self.substeps = mujoco.MjModel.from_xml_string(text), substeps
        self.data = mujoco.MjData(self.model)
        velocities = self.data.qvel.reshape(-1, 6)
        for row, body in zip(velocities, scene["bodies"]):
            x, v = np.array(body["state"]), np.array(body["state"][7:])
            # Angular velocities of free joints are in the axes of the body.
            row[:3], row[3:] = v[:3], turned(x[3:7] * [1, -1, -1, -1], v[3:])

    @staticmethod
    def geom(described, rubbing, assets):
        kind, sizes, place, turn = shape(described)
        frame = f'pos="{numbers(place)}" quat="{numbers(turn)}" {rubbing}'
        if kind == "Hull":
            name = f"hull_{len(assets)}"
            assets.append(f'<mesh name="{name}" vertex="{numbers(np.ravel(sizes["vertices"]))}"/>')
            return f'<geom type="mesh" mesh="{name}" {frame}/>'
        kind, size = {
            "HalfSpace": lambda: ("plane", [50, 50, 1]),
            "Sphere": lambda: ("sphere", [sizes["radius"]]),
            "Box": lambda: ("box", np.array(sizes["size"]) / 2),
            "Capsule": lambda: ("capsule", [sizes["radius"], sizes["length"] / 2]),
            "Cylinder": lambda: ("cylinder", [sizes["radius"], sizes["length"] / 2]),
        }[kind]()
        return f'<geom type="{kind}" size="{numbers(size)}" {frame}/>'

    def step(self):
        mujoco.mj_step(self.model, self.data, nstep=self.substeps)

    def state(self):
        # Also where MuJoCo starts again by itself because it diverges.
        warnings = [k for k, w in enumerate(self.data.warning) if int(w.number)]
        if warnings:
            raise RuntimeError(f"warns of {mujoco.mjtWarning(warnings[0]).name}")
        q, v = self.data.qpos.reshape(-1, 7).copy(), self.data.qvel.reshape(-1, 6)
        spins = np.array([turned(row[3:], spin) for row, spin in zip(q, v[:, 3:])])
        return np.hstack([q, v[:, :3], spins])


class Bullet(Local):
    """With the inertia, friction and free motion of the others; `options` are engine parameters. Bodies have six coordinates of
    their own (`useMaximalCoordinates`), by which it is faster and gains less energy than as trees of one body."""

    def __init__(self, scene, substeps, options):
        self.client = pybullet.connect(pybullet.DIRECT)
        self.call("setGravity", *scene["gravity"])
        # The residual at which it would stop early is left to the number of iterations.
        engine = {"fixedTimeStep": scene["dt"], "numSubSteps": substeps, "solverResidualThreshold": 0} | options
        self.call("setPhysicsEngineParameter", **engine)
        # Frictions are multiplied.
        self.surface = {"lateralFriction": math.sqrt(scene["friction"]), "restitution": 0}
        for described in scene["world"]:
            kind, sizes, place, turn = shape(described)
            one = self.call("createMultiBody", 0, self.shape(kind, sizes), -1, place, wxyz_to_xyzw(turn))
            self.call("changeDynamics", one, -1, **self.surface)
        self.bodies, self.axes = [], []
        for body in scene["bodies"]:
            self.add(body)

    def call(self, name, *words, **named):
        return getattr(pybullet, name)(*words, **named, physicsClientId=self.client)

    def add(self, body):
        # Its bodies are in their principal axes.
        moments, axes = np.linalg.eigh(np.array(body["inertia"]))
        if np.allclose(body["inertia"], np.diag(np.diag(body["inertia"])), rtol=0, atol=1e-12 * moments[-1]):
            moments, axes = np.diag(body["inertia"]), np.eye(3)
        axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
        turn = np.zeros(4)
        mujoco.mju_mat2Quat(turn, axes.ravel())
        back = turn * [1, -1, -1, -1]
        (described,) = body["shapes"]
        kind, sizes, place, there = shape(described)
        if kind == "Hull":
            points = [turned(back, place + turned(there, np.array(v))) for v in sizes["vertices"]]
            collider = self.shape(kind, {"vertices": points})
        elif np.allclose(place, 0) and np.allclose(axes, np.eye(3)) and np.allclose(there, [1, 0, 0, 0]):
            collider = self.shape(kind, sizes)
        else:
            frame = {
                "collisionFramePosition": turned(back, place),
                "collisionFrameOrientation": wxyz_to_xyzw(times(back, there)),
            }
            collider = self.shape(kind, sizes, **frame)
        x, q, v, w = np.split(np.array(body["state"]), [3, 7, 10])
        frame = [x, wxyz_to_xyzw(times(q, turn))]
        one = self.call("createMultiBody", body["mass"], collider, -1, *frame, useMaximalCoordinates=1)
        free = {"linearDamping": 0, "angularDamping": 0, "activationState": pybullet.ACTIVATION_STATE_DISABLE_SLEEPING}
        if kind == "Hull":
            # Else it would be a millimetre larger all round.
            free["collisionMargin"] = 0
        # An inertia without a mass would set that to 0.
        inertia = {"mass": body["mass"], "localInertiaDiagonal": list(moments)}
        self.call("changeDynamics", one, -1, **inertia, **free, **self.surface)
        self.call("resetBaseVelocity", one, list(v), list(w))
        self.bodies.append(one)
        self.axes.append(back)

    def shape(self, kind, sizes, **frame):
        words = {
            "HalfSpace": lambda: {"shapeType": pybullet.GEOM_PLANE, "planeNormal": [0, 0, 1]},
            "Sphere": lambda: {"shapeType": pybullet.GEOM_SPHERE, "radius": sizes["radius"]},
            "Box": lambda: {"shapeType": pybullet.GEOM_BOX, "halfExtents": [s / 2 for s in sizes["size"]]},
            "Capsule": lambda: {"shapeType": pybullet.GEOM_CAPSULE, "radius": sizes["radius"], "height": sizes["length"]},
            "Cylinder": lambda: {"shapeType": pybullet.GEOM_CYLINDER, "radius": sizes["radius"], "height": sizes["length"]},
            "Hull": lambda: {"shapeType": pybullet.GEOM_MESH, "vertices": [list(v) for v in sizes["vertices"]]},
        }[kind]()
        return self.call("createCollisionShape", **words, **frame)

    def step(self):
        self.call("stepSimulation")

    def state(self):
        rows = []
        for one, back in zip(self.bodies, self.axes):
            place, turn = self.call("getBasePositionAndOrientation", one)
            linear, angular = self.call("getBaseVelocity", one)
            rows.append([*place, *times([turn[3], *turn[:3]], back), *linear, *angular])
        return np.array(rows)

    def close(self):
        pybullet.disconnect(self.client)


def wxyz_to_xyzw(q):
    return [*q[1:], q[0]]
