#!/usr/bin/env python3
"""Penetration, slopes and chains of spheres: Driftless and MuJoCo on the same tasks, beside the exact answer.

    python -m venv peers && peers/bin/pip install -r benches/peers/requirements.txt
    peers/bin/python benches/peers/contact.py

MuJoCo runs with its defaults but for the step and the elliptic friction cone, the better of its two.
"""

import argparse
import functools
import json
import math
import subprocess
from pathlib import Path

import mujoco
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
GRAVITY = 9.81


@functools.cache
def program():
    """Builds Driftless without its window and returns its path."""
    command = ["cargo", "build", "--release", "--no-default-features", "--message-format=json"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    built = [json.loads(line).get("executable") for line in done.stdout.splitlines()]
    return next(path for path in built if path)


def driftless(scene, dt, duration):
    """The report of one run."""
    command = [program(), "run", scene, "--dt", str(dt), "--duration", str(duration), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def numbers(values):
    return " ".join(f"{v:.17g}" for v in values)


def travelled(report, start):
    return float(np.linalg.norm(np.array(report["bodies_final"][0]["position"]) - start))


def world(dt, body, ground='<geom type="plane" size="50 50 1"/>'):
    option = f'<option timestep="{dt}" gravity="0 0 {-GRAVITY}" cone="elliptic"/>'
    text = f"<mujoco>{option}<worldbody>{ground}{body}</worldbody></mujoco>"
    return mujoco.MjModel.from_xml_string(text)


def run(model, duration, look=lambda data: None):
    """Steps, each looked at; returns the data and the deepest contact [m], or none if the simulation was reset."""
    data = mujoco.MjData(model)
    deepest = 0.0
    for k in range(round(duration / model.opt.timestep)):
        mujoco.mj_step(model, data)
        mujoco.mj_fwdPosition(model, data)
        if data.ncon:
            deepest = max(deepest, -float(np.min(data.contact.dist)))
        if abs(data.time - (k + 1) * model.opt.timestep) > 0.5 * model.opt.timestep:
            return data, None
        look(data)
    return data, deepest


def drop(dt):
    print(f"\n0.5 m cube dropped from 0.4 m, dt {dt} s (exact: 0)\n")
    print("| program | deepest [m] | rests at [m] |\n|---|---|---|")
    report = driftless("drop:height=0.4", dt, 2.0)
    rest = report["bodies_final"][0]["position"][2] - 0.25
    print(f"| Driftless | {report['contact']['max_penetration']:.1e} | {rest:.1e} |")
    body = '<body pos="0 0 0.65"><freejoint/><geom type="box" size="0.25 0.25 0.25" mass="1"/></body>'
    data, deepest = run(world(dt, body), 2.0)
    print(f"| MuJoCo | {deepest:.1e} | {data.qpos[2] - 0.25:.1e} |")


def slope(dt):
    angle = math.radians(15)
    print(f"\nblock on a slope of 15°, distance in 1 s [m], dt {dt} s\n")
    print("| program | µ = 0 | 0.125 | 0.25 | 0.375 |\n|---|---|---|---|---|")
    frictions = (0.0, 0.125, 0.25, 0.375)
    exact = [max(0.0, GRAVITY * (math.sin(angle) - mu * math.cos(angle)) / 2) for mu in frictions]
    print("| exact | " + " | ".join(f"{d:.5f}" for d in exact) + " |")
    turned = f'euler="0 {math.degrees(angle)} 0"'
    normal = np.array([math.sin(angle), 0, math.cos(angle)])
    start = normal * 0.1
    ours, theirs = [], []
    for mu in frictions:
        ours.append(travelled(driftless(f"slope:degrees=15,mu={mu}", dt, 1.0), start))
        rubbing = f'friction="{max(mu, 1e-9)} 0 0" condim="3"'
        body = (
            f'<body pos="{start[0]} {start[1]} {start[2]}" {turned}><freejoint/>'
            f'<geom type="box" size="0.2 0.15 0.1" mass="1" {rubbing}/></body>'
        )
        ground = f'<geom type="plane" size="50 50 1" {turned} {rubbing}/>'
        data, _ = run(world(dt, body, ground), 1.0)
        theirs.append(float(np.linalg.norm(data.qpos[:3] - start)))
    for name, distances in (("Driftless", ours), ("MuJoCo", theirs)):
        print(f"| {name} | " + " | ".join(f"{d:.5f}" for d in distances) + " |")


def chains(dt, sizes):
    print(f"\nchain of spheres that falls on the plane, 4 s, dt {dt} s: deepest penetration [m]\n")
    print("| spheres | Driftless | its failed steps | MuJoCo |\n|---|---|---|---|")
    for spheres in sizes:
        scene = f"sphere-chain:spheres={spheres}"
        report = driftless(scene, dt, 4.0)
        _, deepest = run(chain_model(spheres, dt), 4.0)
        shown = "diverges" if deepest is None else f"{deepest:.1e}"
        print(f"| {spheres} | {report['contact']['max_penetration']:.1e} | {report['outcomes']['failed']} | {shown} |")


def chain_model(spheres, dt):
    """Spheres of 0.25 m and 1 kg, 1 m apart, leaning at 45°; each hangs on a ball joint in the one before."""
    step = np.array([0.0, 1.0, 1.0]) / math.sqrt(2)
    ball = 'type="sphere" size="0.25" mass="1" friction="1 0 0" condim="3"'
    text = f'<body pos="0 0 0.25"><freejoint/><geom {ball}/>'
    for k in range(1, spheres):
        # A body's frame is at its joint, in the sphere before.
        text += f'<body pos="{numbers(step if k > 1 else np.zeros(3))}"><joint type="ball"/>'
        text += f'<geom {ball} pos="{numbers(step)}"/>'
    return world(dt, text + "</body>" * spheres)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dt", type=float, default=0.01)
    parser.add_argument("--spheres", type=int, nargs="*", default=[5, 20, 44, 100])
    arguments = parser.parse_args()
    drop(arguments.dt)
    slope(arguments.dt)
    chains(arguments.dt, arguments.spheres)


if __name__ == "__main__":
    main()
