#!/usr/bin/env python3
"""Times Driftless and MuJoCo side by side, in turns, on the same mechanisms, and prints the ratios.

    python -m venv peers && peers/bin/pip install -r benches/peers/requirements.txt
    peers/bin/python benches/peers/compare.py

Task: chains of thin rods (1 m, 1 kg, inertia 1e-3, 1/12, 1/12 kg m^2) released horizontally at rest, dt = 0.002 s,
1000 steps on the clock after 100 to warm up, Newton tolerance 1e-8. Each figure is the least of several rounds of
several repeats; the programs take turns, so that a slow moment of the machine hits both. MuJoCo gets the mechanism that Driftless
reports, body by body, and steps through one call (nstep), so that Python costs it nothing.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path

import mujoco
import numpy as np

ROOT = Path(__file__).resolve().parents[2]

# MuJoCo Euler's time divided by ours that is to be reached: links -> (revolute, spherical).
BARS = {1: (3, 3), 2: (3, 3), 5: (1.2, 3), 10: (1.2, 3), 20: (1.2, 6), 50: (1.2, 20), 100: (3, 40)}
# The same for RK4, at every size.
RK4_BAR = 3.0
# Cost per link of longer chains, relative to 100 links.
GROWTH_BAR = 1.15
# How much less processor time than RK4 at the same energy error.
PRECISION_BAR = 5.0
# Longest chain that MuJoCo is given: its parser limits the depth of nesting, and its cost grows with the square.
PEER_LIMIT = 100


def build(features):
    """Builds the timing program and returns its path."""
    command = ["cargo", "bench", "--no-run", "--bench", "peer_timing", "--message-format=json", *features]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == "peer_timing":
            return message["executable"]
    sys.exit("cargo built no peer_timing")


def driftless(program, scene, **changes):
    """One run of Driftless in a process of its own."""
    task = {
        "scene": scene,
        "integrator": "variational-2",
        "dt": 0.002,
        "tolerance": 1e-8,
        "linear_solver": "articulated",
        "warm_up": 100,
        "steps": 1000,
        "repeats": 1,
    } | changes
    done = subprocess.run([program, json.dumps(task)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"Driftless failed on {task}:\n{done.stderr}")
    return json.loads(done.stdout)


def numbers(values):
    return " ".join(f"{v:.17g}" for v in values)


def mujoco_model(mechanism, integrator, dt):
    """The mechanism as a MuJoCo model: nested bodies, axes parallel to the world's at the start, no contact."""
    opening, closing, before = [], [], np.zeros(3)
    for link in mechanism["links"]:
        anchor, centre = np.array(link["anchor"]), np.array(link["centre"])
        inertia = np.array(link["inertia"]).reshape(3, 3)
        full = [inertia[i, j] for i, j in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]]
        joint = f'type="hinge" axis="{numbers(link["axis"])}"' if link["axis"] else 'type="ball"'
        opening.append(
            f'<body pos="{numbers(anchor - before)}"><joint {joint}/>'
            f'<inertial pos="{numbers(centre - anchor)}" mass="{link["mass"]}" fullinertia="{numbers(full)}"/>'
        )
        closing.append("</body>")
        before = anchor
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{dt}" integrator="{integrator}" gravity="{numbers(mechanism["gravity"])}">'
        f'<flag contact="disable"/></option><worldbody>{"".join(opening)}{"".join(closing)}</worldbody></mujoco>'
    )


def total_energy(model, data):
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    return float(data.energy.sum())


def peer(model, warm_up, steps, repeats=1):
    """Time of the steps in the fastest repeat, warnings raised, and the final error of the energy."""
    data = mujoco.MjData(model)
    seconds = math.inf
    for _ in range(repeats):
        mujoco.mj_resetData(model, data)
        mujoco.mj_forward(model, data)
        first = total_energy(model, data)
        mujoco.mj_step(model, data, nstep=warm_up)
        start = time.perf_counter()
        mujoco.mj_step(model, data, nstep=steps)
        seconds = min(seconds, time.perf_counter() - start)
    warnings = sum(int(w.number) for w in data.warning)
    expected = (warm_up + steps) * model.opt.timestep
    was_reset = abs(data.time - expected) > 0.5 * model.opt.timestep
    mujoco.mj_forward(model, data)
    return seconds, warnings, was_reset, abs(total_energy(model, data) - first)


def peer_worst_energy(model, steps):
    """Largest error of the energy over all steps."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    first, worst = total_energy(model, data), 0.0
    for _ in range(steps):
        mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        worst = max(worst, abs(total_energy(model, data) - first))
    return worst


def verdict(ratio, bar):
    return f"{ratio:6.2f} {'ok ' if ratio >= bar else 'LOW'}"


def compare_chains(program, kind, column, sizes, rounds):
    print(f"\n{kind} chains, dt 0.002 s, µs a step and link")
    print(f"{'links':>6} {'ours':>8} {'Euler':>8} {'RK4':>8}   {'Euler/ours (bar)':<20} {'RK4/ours (3)':<14} notes")
    met, cost = True, {}
    for links in sizes:
        scene = f"chain:links={links},joint={kind},angle={HORIZONTAL}"
        ours, euler, rk4 = [], [], []
        mechanism = None
        # Short runs are repeated more often: an interruption spoils a larger part of them.
        repeats = max(2, 40 // links)
        for _ in range(rounds):
            run = driftless(program, scene, repeats=repeats)
            ours.append(run["seconds"])
            if links > PEER_LIMIT:
                continue
            if mechanism is None:
                mechanism = run
                models = [mujoco_model(mechanism, name, 0.002) for name in ("Euler", "RK4")]
            euler.append(peer(models[0], 100, 1000, repeats))
            rk4.append(peer(models[1], 100, 1000, repeats))
        scale = 1e6 / (1000 * links)
        best = min(ours) * scale
        cost[links] = best
        notes = [f"{run['iterations']:.2f} it", f"drift {run['max_drift']:.0e} m", f"energy {run['max_energy_error']:.1e} J"]
        if run["retried"]:
            notes.append(f"{run['retried']} steps retried")
        if mechanism is None:
            growth = best / cost.get(100, math.nan)
            low = growth > GROWTH_BAR
            met &= not low
            print(f"{links:>6} {best:8.3f} {'':>8} {'':>8}   {growth:.2f} times 100 links {'LOW' if low else 'ok'}   {', '.join(notes)}")
            continue
        for name, runs in (("Euler", euler), ("RK4", rk4)):
            _, warnings, was_reset, error = runs[0]
            if warnings or was_reset:
                notes.append(f"{name}: {warnings} warnings{', was reset' if was_reset else ''}")
            notes.append(f"{name} energy {error:.1e} J")
        times = [min(r[0] for r in runs) * scale for runs in (euler, rk4)]
        ratios = [t / best for t in times]
        bar = BARS[links][column] if links in BARS else 0
        met &= ratios[0] >= bar and ratios[1] >= RK4_BAR
        print(
            f"{links:>6} {best:8.3f} {times[0]:8.3f} {times[1]:8.3f}   {verdict(ratios[0], bar)} ({bar:g}){'':<6}"
            f" {verdict(ratios[1], RK4_BAR)}     {', '.join(notes)}"
        )
    return met


def compare_precision(program, rounds):
    """Processor time at equal energy error, double pendulum of two rods, 10 s."""
    print("\ntwo revolute links, 10 s: processor time at equal energy error")
    scene = f"chain:links=2,joint=revolute,angle={HORIZONTAL}"
    mechanism = driftless(program, scene)
    ladder = []
    for dt in (0.01, 0.005, 0.0025, 0.00125, 0.000625):
        steps = round(10 / dt)
        model = mujoco_model(mechanism, "RK4", dt)
        seconds = peer(model, 0, steps, rounds)[0]
        ladder.append((peer_worst_energy(model, steps), seconds))
        print(f"  MuJoCo RK4     dt {dt:<8g} {ladder[-1][1] * 1e3:8.2f} ms   energy error {ladder[-1][0]:.1e} J")
    logs = sorted((math.log(error), math.log(seconds)) for error, seconds in ladder)
    best = 0.0
    for integrator, steps_sizes in (("variational-4", (0.01, 0.005, 0.0025)), ("variational-6", (0.02, 0.01, 0.005))):
        for dt in steps_sizes:
            task = {"integrator": integrator, "dt": dt, "tolerance": 1e-10, "warm_up": 0, "steps": round(10 / dt)}
            run = driftless(program, scene, repeats=rounds, **task)
            seconds, error = run["seconds"], run["max_energy_error"]
            inside = logs[0][0] <= math.log(error) <= logs[-1][0]
            text = "outside RK4's range"
            if inside:
                ratio = math.exp(np.interp(math.log(error), *zip(*logs))) / seconds
                best = max(best, ratio)
                text = f"RK4 needs {ratio:.1f} times as long"
            print(f"  {integrator:<14} dt {dt:<8g} {seconds * 1e3:8.2f} ms   energy error {error:.1e} J   {text}")
    print(f"  best {verdict(best, PRECISION_BAR)} ({PRECISION_BAR:g})")
    return best >= PRECISION_BAR


# Angle of the chain generator that lays the chain out along the horizontal.
HORIZONTAL = 90


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of every comparison, the least time counts")
    parser.add_argument("--links", type=int, nargs="+", default=[1, 2, 5, 10, 20, 50, 100, 500, 1000])
    parser.add_argument("--skip-precision", action="store_true", help="leave out the double pendulum")
    arguments = parser.parse_args()
    program = build(["--no-default-features"])
    print(f"MuJoCo {mujoco.__version__}, one thread, {os.cpu_count()} processors")
    met = [
        compare_chains(program, kind, column, sorted(arguments.links), arguments.rounds)
        for column, kind in enumerate(("revolute", "spherical"))
    ]
    if not arguments.skip_precision:
        met.append(compare_precision(program, arguments.rounds))
    print("\nall bars met" if all(met) else "\nsome bars missed (LOW)")


if __name__ == "__main__":
    main()
