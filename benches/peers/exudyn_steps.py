#!/usr/bin/env python3
"""Times generalised-alpha of Driftless and of Exudyn side by side, on the same mechanisms in the same steps, and prints a table.

    python -m venv peers && peers/bin/pip install -r benches/peers/requirements.txt
    cargo build --release --no-default-features && peers/bin/python benches/peers/exudyn_steps.py target/release/driftless

Exudyn gets the poses and velocities that Driftless reports at the start, rotation vectors with its Lie-group method and Euler parameters, the
same spectral radius, step and number of steps, full Newton; sparse matrices where they are faster. The time is that of a step, of a run
less that of a run of a tenth of its steps, so that neither starts nor ends are in it; the least of three runs. The programs take turns. The
last column is how far the last body's centre is apart at the end.
"""

import csv
import io
import json
import subprocess
import sys
import tempfile
import time

import exudyn as exu
import numpy as np
from exudyn.utilities import RigidBodyInertia, EulerParameters2RotationMatrix

TOLERANCE = 1e-8
ROUNDS = 3


def driftless(program, scene, words, dt, steps, table=False):
    """Report and, if asked for, the first and last row of the table of a run."""
    command = [program, "run", scene, "--integrator", "generalized-alpha", "--dt", repr(dt), "--tolerance", repr(TOLERANCE)]
    command += ["--steps", str(steps), "--json", *words]
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as file:
        done = subprocess.run(command + (["--csv", file.name] if table else []), stdout=subprocess.PIPE, text=True, check=True)
        report = json.loads(done.stdout)
        if report["outcomes"]["failed"] or report["outcomes"]["substeps"]:
            sys.exit(f"a step failed on {scene}")
        if not table:
            return report, None
        rows = csv.DictReader(io.StringIO("".join(line for line in file if not line.startswith("#"))))
        rows = list(rows)
        return report, (rows[0], rows[-1])


class Peer:
    """The same mechanism in Exudyn."""

    def __init__(self, node, row, gravity):
        self.mbs = exu.SystemContainer().AddSystem()
        self.node, self.row, self.gravity = node, row, gravity
        self.ground = self.mbs.CreateGround()
        self.bodies, self.poses = [], []

    def body(self, name, mass, inertia):
        """A body with its inertia about its centre, in its own axes, as the row places it."""
        read = lambda *names: np.array([float(self.row[f"{name}.{n}"]) for n in names])
        turn = EulerParameters2RotationMatrix(read("qw", "qx", "qy", "qz"))
        place = read("x", "y", "z")
        spin = turn @ read("wx_body", "wy_body", "wz_body")
        number = self.mbs.CreateRigidBody(
            referencePosition=place,
            referenceRotationMatrix=turn,
            initialVelocity=read("vx", "vy", "vz"),
            initialAngularVelocity=spin,
            inertia=RigidBodyInertia(mass, np.diag(inertia)),
            gravity=self.gravity,
            nodeType=self.node,
        )
        self.bodies.append(number)
        self.poses.append((place, turn))
        return number

    def run(self, dt, steps, sparse, modified=False):
        """Time of the solver's call [s]."""
        if not hasattr(self, "assembled"):
            self.mbs.Assemble()
            self.assembled = True
        settings = exu.SimulationSettings()
        integration = settings.timeIntegration
        integration.numberOfSteps = steps
        integration.endTime = dt * steps
        integration.verboseMode = 0
        integration.generalizedAlpha.spectralRadius = 0.9
        integration.newton.relativeTolerance = TOLERANCE
        integration.newton.absoluteTolerance = TOLERANCE
        integration.newton.useModifiedNewton = modified
        settings.solution.file.write = False
        settings.solution.sensors.writePeriod = dt * steps
        if sparse:
            settings.linearSolverType = exu.LinearSolverType.EigenSparse
        exu.SetWriteToConsole(False)
        start = time.perf_counter()
        self.mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.GeneralizedAlpha)
        return time.perf_counter() - start

    def last(self):
        """Centre of the last body."""
        return np.array(self.mbs.GetObjectOutputBody(self.bodies[-1], exu.OutputVariableType.Position, [0, 0, 0]))


def heavy_top(node, row):
    peer = Peer(node, row, [0, 0, -9.81])
    top = peer.body("top", 15, [0.234375, 0.46875, 0.234375])
    peer.mbs.CreateSphericalJoint(itemNumbers=[peer.ground, top], position=[0, 0, 0], show=False)
    return peer


def slider_crank(node, row):
    peer = Peer(node, row, [0, 0, -9.81])
    crank = peer.body("crank", 0.12, [1e-4, 1e-5, 1e-4])
    rod = peer.body("rod", 0.5, [4e-4, 4e-3, 4e-3])
    slider = peer.body("slider", 2, [1e-4, 1e-4, 1e-4])
    mbs = peer.mbs
    mbs.CreateRevoluteJoint(itemNumbers=[peer.ground, crank], position=[0, 0.1, 0.12], axis=[1, 0, 0], useGlobalFrame=True, show=False)
    mbs.CreateSphericalJoint(itemNumbers=[crank, rod], position=[0, 0.1, 0.2], useGlobalFrame=True, show=False)
    mbs.CreatePrismaticJoint(itemNumbers=[peer.ground, slider], position=[0.2, 0, 0], axis=[1, 0, 0], useGlobalFrame=True, show=False)
    # Universal: three displacements and one turn. The frame's x is the slider's axis, its y the cross, its z perpendicular
    # to both, and what is held is the turn about z.
    x, y = np.array([1.0, 0, 0]), np.array([0, 2.0, -1.0]) / np.sqrt(5)
    frame = np.column_stack([x, y, np.cross(x, y)])
    point = np.array([0.2, 0, 0])
    markers = []
    for number, (place, turn) in ((slider, peer.poses[2]), (rod, peer.poses[1])):
        local = turn.T @ (point - place)
        markers.append((mbs.AddMarker({"markerType": "BodyRigid", "bodyNumber": number, "localPosition": local}), turn.T @ frame))
    mbs.AddObject({
        "objectType": "JointGeneric",
        "markerNumbers": [markers[0][0], markers[1][0]],
        "constrainedAxes": [1, 1, 1, 0, 0, 1],
        "rotationMarker0": markers[0][1],
        "rotationMarker1": markers[1][1],
    })
    return peer


# Puma: of each link mass, moments, centre, where its joint is in its frame, how far its frame is turned about x from its joint's [deg];
# of the joint's servo stiffness and damping, and from where to where it goes [deg], as in `scenes/puma.ron`.
PUMA = [
    ("trunk", 20, [0.35, 0.35, 0.35], [0, 0, 0], [0, 0, 0], 90, 40000, 400, 0, -120),
    ("upper_arm", 17.4, [0.13, 0.524, 0.539], [-0.3638, 0.006, 0.2275], [-0.4318, 0, 0], 0, 40000, 400, 22.5, 60),
    ("forearm", 4.8, [0.066, 0.086, 0.0201], [-0.0203, -0.0141, 0.07], [-0.0203, 0.15005, 0], -90, 40000, 100, 90, -200),
    ("wrist_1", 0.82, [0.0018, 0.0013, 0.0018], [0, 0.019, 0], [0, -0.4318, 0], 90, 100, 1, 0, 90),
    ("wrist_2", 0.34, [0.0003, 0.0004, 0.0003], [0, 0, 0], [0, 0, 0], -90, 100, 1, 22.5, 90),
    ("flange", 0.09, [0.00015, 0.00015, 4e-05], [0, 0, 0.032], [0, 0, 0], 0, 10, 0.1, 0, 45),
]


def puma(node, row):
    """Six joints with torsional springs, whose offsets follow the motion: constant acceleration for half a second, then its
    opposite. They are set before every step to what they are at its end, where the method takes forces; that is a call of
    Python and in Exudyn's time."""
    peer = Peer(node, row, [0, 0, -9.81])
    mbs, last, servos = peer.mbs, peer.ground, []
    for name, mass, inertia, centre, anchor, twist, stiffness, damping, start, goal in PUMA:
        body = peer.body(name, mass, inertia)
        place, turn = peer.poses[-1]
        position = place + turn @ (np.array(anchor) - np.array(centre))
        axis = turn @ np.array([0, np.sin(np.radians(twist)), np.cos(np.radians(twist))])
        mbs.CreateRevoluteJoint(itemNumbers=[last, body], position=position, axis=axis, useGlobalFrame=True, show=False)
        servo = mbs.CreateTorsionalSpringDamper(
            itemNumbers=[last, body], position=position, axis=axis, stiffness=stiffness, damping=damping, useGlobalFrame=True, show=False
        )
        servos.append((servo, np.radians(goal - start)))
        last = body

    def follow(mbs, t):
        s = min(max(t, 0.0), 1.0)
        part, rate = (2 * s * s, 4 * s) if s < 0.5 else (1 - 2 * (1 - s) ** 2, 4 * (1 - s))
        for servo, way in servos:
            mbs.SetObjectParameter(servo, "offset", part * way)
            mbs.SetObjectParameter(servo, "velocityOffset", rate * way)
        return True

    mbs.SetPreStepUserFunction(follow)
    return peer


def chain(links, revolute):
    def build(node, row):
        peer = Peer(node, row, [0, 0, -9.81])
        last = peer.ground
        for k in range(links):
            body = peer.body(f"link_{k + 1}", 1.0, [1 / 12, 1 / 12, 1e-3])
            place, turn = peer.poses[-1]
            top = place + turn @ np.array([0, 0, 0.5])
            words = {"itemNumbers": [last, body], "position": top, "show": False, "useGlobalFrame": True}
            if revolute:
                peer.mbs.CreateRevoluteJoint(axis=[1, 0, 0], **words)
            else:
                peer.mbs.CreateSphericalJoint(**words)
            last = body
        return peer

    return build


def chain_scene(links, joint):
    return f"chain:links={links},joint={joint},angle=30"


# Name, scene, builder, step, steps, name of the last body, sparse matrices.
TASKS = [
    ("heavy top", "heavy_top", heavy_top, 1e-4, 10_000, "top", False),
    ("slider-crank", "slider_crank", slider_crank, 1e-3, 5_000, "slider", False),
    ("Puma 560", "puma", puma, 1e-3, 1_000, "flange", False),
    *[
        (f"chain of {n}, revolute", chain_scene(n, "revolute"), chain(n, True), 1e-3, max(200, 4000 // n), f"link_{n}", n >= 20)
        for n in (5, 20, 100, 1000)
    ],
    ("chain of 20, spherical", chain_scene(20, "spherical"), chain(20, False), 1e-3, 200, "link_20", True),
]


def main():
    program = sys.argv[1]
    print("| mechanism | step [s] | coordinates | Driftless [us] | Exudyn [us] | ratio | iterations | apart at the end [m] |")
    print("|---|---|---|---|---|---|---|---|")
    for name, scene, build, dt, steps, last, sparse in TASKS:
        for words, node, called in (
            (["--option", "parametrisation=rv"], exu.NodeType.RotationRotationVector, "rv"),
            (["--option", "parametrisation=ep"], exu.NodeType.RotationEulerParameters, "ep"),
        ):
            report, (first, end) = driftless(program, scene, words, dt, steps, table=True)
            ours, theirs = [], []
            mean = report["iterations"]["mean"]
            try:
                for _ in range(ROUNDS):
                    ours.append(driftless(program, scene, words, dt, steps)[0]["step_seconds"]["median"])
                    long = build(node, first).run(dt, steps, sparse)
                    short = build(node, first).run(dt, steps // 10, sparse)
                    theirs.append((long - short) / (steps - steps // 10))
                peer = build(node, first)
                peer.run(dt, steps, sparse)
            except exu.SolverError:
                print(f"| {name} | {dt} | {called} | {min(ours) * 1e6:.1f} | fails | | {mean:.1f} | |", flush=True)
                continue
            gap = np.linalg.norm(peer.last() - np.array([float(end[f"{last}.{a}"]) for a in "xyz"]))
            a, b = min(ours) * 1e6, min(theirs) * 1e6
            print(f"| {name} | {dt} | {called} | {a:.1f} | {b:.1f} | {b / a:.1f} | {mean:.1f} | {gap:.1e} |", flush=True)


main()
