#!/usr/bin/env python3
"""Times steps of Driftless in joint and in maximal coordinates beside Pinocchio's articulated-body algorithm and a step of MuJoCo, and
prints a table.

    python -m venv peers && peers/bin/pip install -r benches/peers/requirements.txt
    cargo build --release --no-default-features && peers/bin/python benches/peers/pinocchio_aba.py target/release/driftless

Task: chains of thin rods (1 m, 1 kg, inertia 1e-3, 1/12, 1/12 kg m^2) released at 30 degrees, steps of 1 ms, tolerance 1e-9 of the forces;
the median time of a step, the least of three runs. Pinocchio evaluates the forward dynamics of the same chain in a loop of Python, which costs
it some tenths of a microsecond a call; the least mean of seven rounds of 500. MuJoCo steps the chain by semi-implicit Euler without contacts,
limits and armature, 500 steps in one call of its own. The programs take turns.
"""

import json
import subprocess
import sys
import time

import mujoco
import numpy as np
import pinocchio

METHODS = [
    ("minimal-riqn", []),
    ("minimal-newton", []),
    ("minimal-newton", ["--linear-solver", "dense"]),
    ("minimal-svi-newton", []),
    ("joint-space-euler", []),
    ("variational-2", []),
]


def driftless(program, joint, links, method, words):
    """Median time of a step [us]."""
    scene = f"chain:links={links},joint={joint},angle=30"
    command = [program, "run", scene, "--integrator", method, "--dt", "0.001", "--tolerance", "1e-9", "--json", *words]
    steps = "60" if method == "minimal-svi-newton" else "500"
    done = subprocess.run([*command, "--steps", steps], stdout=subprocess.PIPE, text=True, check=True)
    report = json.loads(done.stdout)
    if report["outcomes"]["failed"]:
        sys.exit(f"{method} failed on {scene}")
    return report["step_seconds"]["median"] * 1e6


def aba(joint, links):
    """Time of one evaluation of the forward dynamics [us]."""
    model, parent = pinocchio.Model(), 0
    for k in range(links):
        kind = pinocchio.JointModelRX() if joint == "revolute" else pinocchio.JointModelSpherical()
        place = pinocchio.SE3(np.eye(3), np.array([0.0, 0.0, -1.0 if k else 0.0]))
        parent = model.addJoint(parent, kind, place, f"joint_{k}")
        rod = pinocchio.Inertia(1.0, np.array([0.0, 0.0, -0.5]), np.diag([1 / 12, 1 / 12, 1e-3]))
        model.appendBodyToJoint(parent, rod, pinocchio.SE3.Identity())
    data, q = model.createData(), pinocchio.neutral(model)
    v, torque = np.full(model.nv, 0.1), np.zeros(model.nv)
    start = time.perf_counter()
    for _ in range(500):
        pinocchio.aba(model, data, q, v, torque)
    return (time.perf_counter() - start) / 500 * 1e6


def mujoco_euler(joint, links):
    """Time of a step of MuJoCo [us]."""
    kind = 'type="hinge" axis="1 0 0"' if joint == "revolute" else 'type="ball"'
    rod = '<inertial pos="0 0 -0.5" mass="1" diaginertia="0.0833333 0.0833333 0.001"/>'
    turn = 'euler="30 0 0"'
    xml, end = "", ""
    for k in range(links):
        place = f'pos="0 0 {-1 if k else 0}" {"" if k else turn}'
        xml += f"<body {place}><joint {kind}/>{rod}"
        end += "</body>"
    option = '<option timestep="0.001" integrator="Euler" gravity="0 0 -9.81"/>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{xml}{end}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    start = time.perf_counter()
    mujoco.mj_step(model, data, nstep=500)
    return (time.perf_counter() - start) / 500 * 1e6


def main():
    program = sys.argv[1]
    names = [name + (" dense" if words else "") for name, words in METHODS]
    print("| joint | links | Pinocchio ABA | MuJoCo Euler | " + " | ".join(names) + " | `minimal-riqn` in ABA |")
    print("|---" * (len(names) + 5) + "|")
    for joint in ["revolute", "spherical"]:
        for links in [10, 20, 50, 100]:
            peer = min(aba(joint, links) for _ in range(7))
            rival = min(mujoco_euler(joint, links) for _ in range(3))
            ours = [min(driftless(program, joint, links, *m) for _ in range(3)) for m in METHODS]
            peer = min([peer] + [aba(joint, links) for _ in range(7)])
            rival = min([rival] + [mujoco_euler(joint, links) for _ in range(3)])
            times = " | ".join(f"{t:.1f}" for t in ours)
            print(f"| {joint} | {links} | {peer:.1f} | {rival:.1f} | {times} | {ours[0] / peer:.1f} |", flush=True)


if __name__ == "__main__":
    main()
