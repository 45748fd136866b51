#!/usr/bin/env python3
"""Soft contact at rest: Driftless, MuJoCo and Drake on the same bodies: penetration, creep, energy, time of a step.

    python -m venv peers && peers/bin/pip install -r benches/peers/requirements.txt
    peers/bin/python benches/peers/soft_contact.py [--program target/release/driftless]

Every program gets the bodies that `driftless generate` prints, and its states are measured by one and the same geometry. MuJoCo runs
with its defaults but for the step and the elliptic friction cone. Drake runs with the defaults of its discrete plant, and once more with
contacts of 1e11 N/m; a box there touches with small balls in its corners, since its contact of points has one point a pair of shapes.
Times are the least of several runs.
"""

import argparse
import json
import math
import re
import subprocess
import time
from dataclasses import dataclass

import mujoco
import numpy as np
from contact import GRAVITY, numbers, program
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import AddContactMaterial, Box, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

# Scene, what it is called, how long it runs [s].
SCENES = [
    ("drop:height=0.4", "cube dropped from 0.4 m", 3.0),
    ("slope:degrees=15,mu=0.375", "block on a slope of 15°, µ = 0.375", 3.0),
    ("sphere-stack:spheres=20", "20 spheres on one another", 5.0),
    ("pit:bodies=40,kind=spheres,width=2", "40 balls in a pit", 5.0),
]
# Creep is measured over the end of a run [s].
LAST = 1.0
# Radius of the balls in the corners of Drake's boxes [m].
CORNER = 1e-3
REPEATS = 3


@dataclass
class Body:
    """A ball, or a box by its edges, at the start."""

    mass: float
    radius: float
    size: np.ndarray
    position: np.ndarray
    turn: np.ndarray  # quaternion, w first

    def inertia(self):
        """Moments about the axes of the body."""
        if self.radius:
            return np.full(3, 0.4 * self.mass * self.radius**2)
        square = self.size**2
        return self.mass / 12 * (square.sum() - square)


@dataclass
class Scene:
    bodies: list
    tilt: float  # of the ground about y [rad]
    walls: list  # size and place of each
    friction: float

    @property
    def normal(self):
        return np.array([math.sin(self.tilt), 0, math.cos(self.tilt)])


def about_y(angle):
    return np.array([math.cos(angle / 2), 0, math.sin(angle / 2), 0])


def vector(text, field):
    found = re.search(field + r": \(([^()]*)\)", text)
    return np.array([float(x) for x in found.group(1).split(",")]) if found else None


def read(text):
    """A scene from the text of `driftless generate`."""
    bodies, walls, tilt = [], [], 0.0
    for line in text.splitlines():
        mass = re.search(r"\(mass: ([\d.e-]+)", line)
        euler = vector(line, "euler")
        tilted = euler[1] if euler is not None else 0.0
        radius = re.search(r"radius: ([\d.e-]+)", line)
        if mass:
            ball = float(radius.group(1)) if radius else 0.0
            size = np.zeros(3) if radius else vector(line, "size")
            bodies.append(Body(float(mass.group(1)), ball, size, vector(line, "position"), about_y(tilted)))
        elif "half_space" in line:
            tilt = tilted
        elif "(box" in line:
            walls.append((vector(line, "size"), vector(line, "at")))
    return Scene(bodies, tilt, walls, float(re.search(r"friction: ([\d.e-]+)", text).group(1)))


def corners(body):
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
    return signs * body.size / 2


def depth(scene, state):
    """How deep bodies are in each other, the ground and the walls at most [m]."""
    deepest = 0.0
    inner = [wall[1] - np.sign(wall[1]) * wall[0] / 2 for wall in scene.walls]
    for k, (body, (position, turn)) in enumerate(zip(scene.bodies, state)):
        if not body.radius:
            points = position + corners(body) @ RotationMatrix(Quaternion(turn / np.linalg.norm(turn))).matrix().T
            deepest = max(deepest, -float(np.min(points @ scene.normal)))
            continue
        deepest = max(deepest, body.radius - float(position @ scene.normal))
        for face in inner:
            axis = int(np.argmax(np.abs(face[:2])))
            deepest = max(deepest, body.radius - abs(face[axis]) + math.copysign(1, face[axis]) * position[axis])
        for other, (place, _) in zip(scene.bodies[:k], state[:k]):
            deepest = max(deepest, body.radius + other.radius - float(np.linalg.norm(position - place)))
    return deepest


def kinetic(scene, velocities):
    """Kinetic energy from velocities and angular velocities in the axes of the bodies [J]."""
    both = zip(scene.bodies, velocities)
    return sum(0.5 * b.mass * v @ v + 0.5 * b.inertia() @ w**2 for b, (v, w) in both)


class Driftless:
    def __init__(self, name, path, method, spec, dt):
        self.name, self.command = name, [path, "run", spec, "--integrator", method, "--dt", str(dt), "--json"]

    def run(self, scene, duration):
        """States at the end and a time before it, velocities at the end, mean time of a step."""
        reports = [self.report(duration - LAST), self.report(duration)]
        states = [[self.pose(b) for b in report["bodies_final"]] for report in reports]
        last = reports[1]["bodies_final"]
        velocities = [(np.array(b["velocity"]), np.array(b["angular_velocity_body"])) for b in last]
        return states, velocities, reports[1]["step_seconds"]["mean"]

    def report(self, duration):
        done = subprocess.run([*self.command, "--duration", str(duration)], stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)

    @staticmethod
    def pose(body):
        w, *v = body["orientation"]
        return np.array(body["position"]), np.array([w, *v])


class MuJoCo:
    name = "MuJoCo"

    def __init__(self, scene, dt):
        rubbing = f'friction="{scene.friction} 0 0" condim="3"'
        text = f'<geom type="plane" size="50 50 1" quat="{numbers(about_y(scene.tilt))}" {rubbing}/>'
        for size, place in scene.walls:
            text += f'<geom type="box" size="{numbers(size / 2)}" pos="{numbers(place)}" {rubbing}/>'
        for body in scene.bodies:
            shape = f'type="sphere" size="{body.radius}"' if body.radius else f'type="box" size="{numbers(body.size / 2)}"'
            frame = f'pos="{numbers(body.position)}" quat="{numbers(body.turn)}"'
            text += f'<body {frame}><freejoint/><geom {shape} mass="{body.mass}" {rubbing}/></body>'
        option = f'<option timestep="{dt}" gravity="0 0 {-GRAVITY}" cone="elliptic"/>'
        self.model = mujoco.MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{text}</worldbody></mujoco>")

    def run(self, scene, duration):
        data, dt = mujoco.MjData(self.model), self.model.opt.timestep
        start = time.perf_counter()
        mujoco.mj_step(self.model, data, nstep=round((duration - LAST) / dt))
        taken = time.perf_counter() - start
        before = self.state(scene, data)
        start = time.perf_counter()
        mujoco.mj_step(self.model, data, nstep=round(LAST / dt))
        taken += time.perf_counter() - start
        # Angular velocities of free joints are in the axes of the body.
        velocities = data.qvel.reshape(-1, 6)
        velocities = [(v[:3].copy(), v[3:].copy()) for v in velocities]
        return [before, self.state(scene, data)], velocities, taken * dt / duration

    @staticmethod
    def state(scene, data):
        return [(q[:3].copy(), q[3:].copy()) for q in data.qpos.reshape(len(scene.bodies), 7)]


class Drake:
    def __init__(self, name, scene, dt, stiffness=None):
        self.name, self.dt = name, dt
        builder = DiagramBuilder()
        self.plant, _ = AddMultibodyPlant(MultibodyPlantConfig(time_step=dt), builder)
        rubbing = ProximityProperties()
        friction = CoulombFriction(scene.friction, scene.friction)
        if stiffness is None:
            AddContactMaterial(friction=friction, properties=rubbing)
        else:
            # Two of them, one behind the other.
            AddContactMaterial(point_stiffness=2 * stiffness, friction=friction, properties=rubbing)
        world = self.plant.world_body()
        ground = RigidTransform(RotationMatrix.MakeYRotation(scene.tilt), np.zeros(3))
        self.plant.RegisterCollisionGeometry(world, ground, HalfSpace(), "ground", rubbing)
        for k, (size, place) in enumerate(scene.walls):
            self.plant.RegisterCollisionGeometry(world, RigidTransform(place), Box(*size), f"wall_{k}", rubbing)
        self.bodies = []
        for k, body in enumerate(scene.bodies):
            inertia = UnitInertia(*(body.inertia() / body.mass))
            own = self.plant.AddRigidBody(f"body_{k}", SpatialInertia(body.mass, np.zeros(3), inertia))
            if body.radius:
                self.plant.RegisterCollisionGeometry(own, RigidTransform(), Sphere(body.radius), f"ball_{k}", rubbing)
            else:
                for n, corner in enumerate(corners(body)):
                    place = RigidTransform(corner - np.sign(corner) * CORNER)
                    self.plant.RegisterCollisionGeometry(own, place, Sphere(CORNER), f"corner_{k}_{n}", rubbing)
            self.bodies.append(own)
        self.plant.Finalize()
        self.diagram = builder.Build()

    def run(self, scene, duration):
        simulator = Simulator(self.diagram)
        context = self.plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
        for own, body in zip(self.bodies, scene.bodies):
            pose = RigidTransform(Quaternion(body.turn), body.position)
            self.plant.SetFreeBodyPose(context, own, pose)
        simulator.Initialize()
        start = time.perf_counter()
        simulator.AdvanceTo(duration - LAST)
        taken = time.perf_counter() - start
        before = self.state(context)
        start = time.perf_counter()
        simulator.AdvanceTo(duration)
        taken += time.perf_counter() - start
        velocities = []
        for own in self.bodies:
            twist = self.plant.EvalBodySpatialVelocityInWorld(context, own)
            axes = self.plant.EvalBodyPoseInWorld(context, own).rotation().matrix()
            velocities.append((twist.translational(), axes.T @ twist.rotational()))
        return [before, self.state(context)], velocities, taken * self.dt / duration

    def state(self, context):
        poses = [self.plant.EvalBodyPoseInWorld(context, own) for own in self.bodies]
        return [(p.translation().copy(), p.rotation().ToQuaternion().wxyz()) for p in poses]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dt", type=float, default=0.01)
    parser.add_argument("--program", help="an executable of Driftless; else one is built")
    arguments = parser.parse_args()
    path, dt = arguments.program or program(), arguments.dt
    for spec, title, duration in SCENES:
        text = subprocess.run([path, "generate", spec], stdout=subprocess.PIPE, text=True, check=True).stdout
        scene = read(text)
        print(f"\n{title}, {duration} s, dt {dt} s\n")
        print("| program | deep at the end [m] | moves by in the last second [m] | kinetic energy at the end [J] | time of a step [µs] |")
        print("|---|---|---|---|---|")
        runners = [
            Driftless("Driftless, `compliant`", path, "compliant", spec, dt),
            Driftless("Driftless, `variational-2`", path, "variational-2", spec, dt),
            MuJoCo(scene, dt),
            Drake("Drake", scene, dt),
            Drake("Drake, 1e11 N/m", scene, dt, stiffness=1e11),
        ]
        for runner in runners:
            try:
                (before, after), velocities, taken = runner.run(scene, duration)
                for _ in range(REPEATS - 1):
                    taken = min(taken, runner.run(scene, duration)[2])
            except RuntimeError as error:
                # What Drake says where its solver does not converge.
                print(f"| {runner.name} | {str(error).splitlines()[0]} | | | |", flush=True)
                continue
            moved = max(float(np.linalg.norm(b[0] - a[0])) for a, b in zip(before, after))
            energy = kinetic(scene, velocities)
            print(f"| {runner.name} | {depth(scene, after):.1e} | {moved:.1e} | {energy:.1e} | {1e6 * taken:.1f} |", flush=True)


if __name__ == "__main__":
    main()
