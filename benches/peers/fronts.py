#!/usr/bin/env python3
"""Time of a step against errors: Driftless, Rapier, Bullet and MuJoCo with several settings each, on the same bodies.

    python -m venv peers && peers/bin/pip install -r benches/peers/requirements.txt
    peers/bin/python benches/peers/fronts.py [--runner PROGRAM] [--scene SCENE]… [--patience SECONDS]

Every program gets the bodies that Driftless reports and makes 300 steps of 0.01 s, ten before it is the next one's turn, so that a
slow moment of the machine hits all. Times are processor times of the thread that steps. All errors are computed here, by
the same rules for all, from the states that a program returns after each of these steps:

- *deepest*: how deep any two bodies, or a body and the world, are in each other at most; *typical*: the median over the steps.
- *moved*: the farthest that the centre of a body gets from its start in a scene that must stay at rest; *creep*: the same from the end of
  the second second to that of the third.
- *linear*, *angular*: the largest change of the momenta of bodies that nothing but other bodies touches, as a share of what
  the bodies have without regard to direction.
- *gained*: how far the mechanical energy rises above an earlier value at most, as a share of the first.

Bold: on the front of time and that error, that is, no other row is as fast and as exact and better in one of the two. Errors
below rounding (1e-9 m, shares of 1e-12) count as equal. A row whose steps take longer than the patience stops there and is on no
front, and neither is one in which something falls that must stay at rest; their figures are in brackets. Scenes other than pits
are run three times, and the least time counts.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass, field

import mujoco
import numpy as np
from programs import Bullet, MuJoCo, Served, Stepped, build

STEPS, TURN = 300, 10
# Creep is measured from this step on.
LATE = 200
# What was to stay at rest and got farther than this has fallen [m].
FALLEN = 0.1
# Runs of scenes other than pits.
ROUNDS = 3
PROGRAMS = {"Driftless": "", "Rapier": "0.36.1", "Bullet": "(pybullet 3.2.7)", "MuJoCo": mujoco.__version__}


@dataclass
class Row:
    """A program with its settings."""

    program: str
    settings: str
    substeps: int
    options: dict = field(default_factory=dict)
    geom: dict = field(default_factory=dict)

    def begin(self, runner, name, scene):
        if self.program == "Bullet":
            return Bullet(scene, self.substeps, self.options)
        if self.program == "MuJoCo":
            # The shortest time in which it lets contacts give, two steps.
            soft = f"{2 * scene['dt'] / self.substeps} 1"
            geom = {key: value or soft for key, value in self.geom.items()}
            return MuJoCo(scene, self.substeps, self.options, geom)
        return Stepped(runner, self.program.lower(), name, self.substeps, self.options)


def driftless(accuracy, substeps):
    return Row("Driftless", accuracy + (", half steps" if substeps == 2 else ""), substeps, {"contact_accuracy": accuracy})


def rapier(iterations, substeps=1, frequency=None, friction=None):
    options = {"iterations": iterations, "frequency": frequency, "friction": friction}
    named = (f"{iterations} iterations", steps(substeps), frequency and f"{frequency} Hz", friction and "Coulomb friction")
    return Row("Rapier", ", ".join(filter(None, named)), substeps, {k: v for k, v in options.items() if v})


def bullet(iterations, substeps=1, erp=None):
    options = {"numSolverIterations": iterations} | ({"erp": erp, "contactERP": erp} if erp else {})
    named = (f"{iterations} iterations", steps(substeps), erp and f"ERP {erp}")
    return Row("Bullet", ", ".join(filter(None, named)), substeps, options)


def mujoco_row(name, substeps=1, options=None, geom=None):
    return Row("MuJoCo", ", ".join(filter(None, (steps(substeps), name))), substeps, options or {}, geom or {})


def steps(count):
    return f"{count} steps" if count > 1 else ""


# As stiff as two steps allow, harder still where contacts are deep, and with friction that does not give.
STIFF = {"solref": None}
HARD = {"solref": None, "solimp": "0.99 0.9999 0.001"}
ROWS = [
    *(driftless(accuracy, substeps) for accuracy in ("live", "exact") for substeps in (1, 2)),
    *(rapier(4, substeps) for substeps in (1, 4, 16)),
    *(rapier(iterations) for iterations in (20, 100)),
    rapier(100, friction="coulomb"),
    rapier(20, frequency=120),
    rapier(4, 4, frequency=120),
    rapier(4, 16, frequency=1000),
    *(bullet(50, substeps) for substeps in (1, 4, 16)),
    *(bullet(iterations) for iterations in (10, 500)),
    bullet(50, 4, erp=0.8),
    mujoco_row("defaults"),
    mujoco_row("10 iterations", 1, {"iterations": 10}),
    mujoco_row("tolerance 1e-12, 1000 iterations", 1, {"iterations": 1000, "tolerance": 1e-12}),
    # Newton's method, its default, takes ever longer with more bodies.
    mujoco_row("CG", 1, {"solver": "CG"}),
    *(mujoco_row("CG, stiff", substeps, {"solver": "CG"}, STIFF) for substeps in (4, 16)),
    *(mujoco_row("stiff", substeps, None, STIFF) for substeps in (4, 16)),
    *(mujoco_row("stiff, impratio 100", substeps, {"impratio": 100}, STIFF) for substeps in (4, 16)),
    *(mujoco_row("hard, 10 noslip", substeps, {"noslip_iterations": 10}, HARD) for substeps in (4, 16)),
]


# Below this an error is rounding.
ROUNDING = {"deepest": 1e-9, "typical": 1e-9, "moved": 1e-9, "creep": 1e-9, "linear": 1e-12, "angular": 1e-12, "gained": 1e-12}
PILE = ("deepest", "typical", "gained")
REST = ("deepest", "moved", "creep")
CLOUD = ("deepest", "linear", "angular", "gained")
# What they are called, and what is measured.
SCENES = {
    "pit:bodies=40,kind=spheres,width=2": ("40 balls", PILE),
    "pit:bodies=100,kind=spheres,width=2": ("100 balls", PILE),
    "pit:bodies=300": ("300 mixed", PILE),
    "slope:degrees=15,mu=0.375": ("slope", REST),
    "box-stack:boxes=10": ("10 boxes", REST),
    "card_tower": ("cards", REST),
    "arch": ("arch", REST),
    "cloud:bodies=64,width=2.1": ("cloud", CLOUD),
}
# Tables, and what their cells hold; a table has a column for each scene in which all of that is measured.
TABLES = {
    "Time of a step [ms] · deepest penetration [m]": ("time", "deepest"),
    "What must stay at rest: farthest from the start [m] · creep in the third second [m]": ("moved", "creep"),
    "Pits: penetration in the median of the steps [m] · energy gained [-]": ("typical", "gained"),
    "Cloud: change of linear momentum [-] · of angular momentum [-] · energy gained [-]": ("linear", "angular", "gained"),
}


def turns(quaternions):
    """Rotation matrices of quaternions, w first."""
    q = quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)
    w, v = q[:, 0, None, None], q[:, 1:]
    cross = np.zeros((len(q), 3, 3))
    cross[:, [2, 0, 1], [1, 2, 0]] = v
    cross[:, [1, 2, 0], [2, 0, 1]] = -v
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


class Account:
    """What the states of one row come to."""

    def __init__(self, scene, depths):
        self.depths, self.gravity = depths, np.array(scene["gravity"])
        self.mass = np.array([b["mass"] for b in scene["bodies"]])
        self.inertia = np.array([b["inertia"] for b in scene["bodies"]])
        self.seconds, self.depth, self.states = [], [], []
        first = np.array([b["state"] for b in scene["bodies"]])
        self.first = self.sums(first)
        self.lowest = self.first[2]
        self.changes, self.gained, self.start, self.late = np.zeros(2), 0.0, first, first
        self.moved, self.below, self.creep = 0.0, 0, 0.0
        # Potential energy counts from the ground.
        self.scale = abs(self.first[2]) or np.nan

    def sums(self, state):
        """Linear and angular momentum, each of every body, and energy."""
        x, axes, v, w = state[:, :3], turns(state[:, 3:7]), state[:, 7:10], state[:, 10:]
        linear = self.mass[:, None] * v
        spin = np.einsum("bij,bjk,blk,bl->bi", axes, self.inertia, axes, w)
        energy = 0.5 * np.sum(linear * v) + 0.5 * np.sum(spin * w) - np.sum(self.mass * (x @ self.gravity))
        return linear, np.cross(x, linear) + spin, energy

    def add(self, seconds, state):
        self.seconds.append(seconds)
        if not np.isfinite(state).all():
            raise RuntimeError("diverges")
        self.depth.append(self.depths.ask(json.dumps(state.tolist())))
        sums = self.sums(state)
        change = [np.linalg.norm(np.sum(now - then, axis=0)) for now, then in zip(sums[:2], self.first[:2])]
        self.changes = np.maximum(self.changes, change)
        self.gained = max(self.gained, sums[2] - self.lowest)
        self.lowest = min(self.lowest, sums[2])
        self.moved = max(self.moved, farthest(state, self.start))
        self.below = int(np.sum(state[:, 2] < 0)) if np.any(self.gravity) else 0
        if len(self.seconds) == LATE:
            self.late = state
        self.creep = farthest(state, self.late)

    def results(self):
        sizes = [np.sum(np.linalg.norm(of_body, axis=1)) for of_body in self.first[:2]]
        linear, angular = (change / size if size else np.nan for change, size in zip(self.changes, sizes))
        return {
            "time": np.mean(self.seconds),
            "deepest": max(self.depth),
            "typical": np.median(self.depth),
            "moved": self.moved,
            "creep": self.creep,
            "linear": linear,
            "angular": angular,
            "gained": self.gained / self.scale,
        }


def farthest(state, other):
    return float(np.max(np.linalg.norm(state[:, :3] - other[:, :3], axis=1)))


@dataclass
class Result:
    """What one row came to; no numbers if it did not make a step, and on no front unless it came to the end."""

    numbers: dict | None
    complete: bool
    notes: str


def run(runner, name, rows, patience):
    """The results of rows that take turns."""
    words = subprocess.run([runner, "describe", name], stdout=subprocess.PIPE, text=True, check=True)
    scene = json.loads(words.stdout)
    depths = Served(runner, "depth", name)
    programs = [row.begin(runner, name, scene) for row in rows]
    accounts = [Account(scene, depths) for _ in rows]
    ends = [None] * len(rows)
    for _ in range(STEPS // TURN):
        for k, (program, account) in enumerate(zip(programs, accounts)):
            if ends[k]:
                continue
            try:
                for done in program.advance(TURN):
                    account.add(*done)
            except RuntimeError as error:
                ends[k] = str(error)
            else:
                if np.mean(account.seconds[-TURN:]) > patience and len(account.seconds) < STEPS:
                    ends[k] = "too slow"
    results = []
    for program, account, end in zip(programs, accounts, ends):
        numbers = account.results() if account.depth else None
        fell = SCENES[name][1] is REST and numbers and numbers["moved"] > FALLEN
        notes = (
            f"{end} after {len(account.seconds)} steps" if end else "",
            "falls" if fell else "",
            f"{account.below} below the ground" if account.below else "",
            program.note,
        )
        results.append(Result(numbers, not end and not fell, ", ".join(filter(None, notes))))
        program.close()
    depths.close()
    return results


def least(runner, name, rows, patience):
    """The same, with the least times of several runs where they take little."""
    results = run(runner, name, rows, patience)
    for _ in range(0 if SCENES[name][1] is PILE else ROUNDS - 1):
        for result, again in zip(results, run(runner, name, rows, patience)):
            if result.numbers and again.numbers:
                result.numbers["time"] = min(result.numbers["time"], again.numbers["time"])
    return results


def beaten(numbers, others, key):
    """A row that is as fast and as exact and better in one of the two."""
    mine = (numbers["time"], max(numbers[key], ROUNDING[key]))
    for k, other in others:
        theirs = (other["time"], max(other[key], ROUNDING[key]))
        if theirs != mine and all(t <= m for t, m in zip(theirs, mine)):
            return k
    return None


def shown(rows, results, keys):
    """Cells of each row by key, bold on the front, and rows of ours that are behind another program, by error and program."""
    complete = [(k, result.numbers) for k, result in enumerate(results) if result.complete]
    cells, behind = [], {}
    for row, result in zip(rows, results):
        cells.append({})
        if not result.numbers:
            continue
        cells[-1]["time"] = f"{1e3 * result.numbers['time']:.3g}"
        for key in keys:
            text = f"{result.numbers[key]:.1e}"
            if not result.complete:
                text = f"({text})"
            elif beaten(result.numbers, complete, key) is None:
                text = f"**{text}**"
            cells[-1][key] = text
            peers = [(k, numbers) for k, numbers in complete if rows[k].program != "Driftless"]
            better = beaten(result.numbers, peers, key)
            if result.complete and row.program == "Driftless" and better is not None:
                peer = f"{rows[better].program}, {rows[better].settings}"
                behind.setdefault((key, peer), []).append(row.settings)
    return cells, behind


def tables(rows, scenes):
    """Prints the tables; `scenes` holds cells, rows of ours that are behind, and notes of each by name."""
    for title, keys in TABLES.items():
        names = [name for name in scenes if set(keys) <= {"time", *SCENES[name][1]}]
        if not names:
            continue
        print(f"\n{title}\n\n| program | " + " | ".join(SCENES[n][0] for n in names) + " |\n" + "|---" * (len(names) + 1) + "|")
        for k, row in enumerate(rows):
            cells = [scenes[name][0][k] for name in names]
            line = (" · ".join(cell.get(key, "") for key in keys) for cell in cells)
            print(f"| {row.program}, {row.settings} | " + " | ".join(line) + " |")
    print()
    for name, (_, behind, notes) in scenes.items():
        said = [f"{row.program}, {row.settings}: {note}" for row, note in zip(rows, notes) if note]
        late = [f"{key}: {' / '.join(ours)} (by {peer})" for (key, peer), ours in behind.items()]
        head = f"{SCENES[name][0]} (`{name}`): ours is behind another program in " + ("; ".join(late) or "nothing")
        print(f"- {head}." + (f" {'; '.join(said)}." if said else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", help="an executable of `benches/peers/rapier`; else one is built")
    parser.add_argument("--scene", action="append", choices=SCENES, help="only this one; may be repeated")
    parser.add_argument("--program", action="append", choices=PROGRAMS, help="only this one; may be repeated")
    parser.add_argument("--patience", type=float, default=0.4, help="most processor time of a step, in the mean of ten [s]")
    arguments = parser.parse_args()
    runner = arguments.runner or build()
    rows = [row for row in ROWS if row.program in (arguments.program or PROGRAMS)]
    scenes = {}
    for name in arguments.scene or SCENES:
        print(name, file=sys.stderr, flush=True)
        results = least(runner, name, rows, arguments.patience)
        scenes[name] = (*shown(rows, results, SCENES[name][1]), [result.notes for result in results])
    print(", ".join(f"{name} {version}".strip() for name, version in PROGRAMS.items()))
    tables(rows, scenes)


if __name__ == "__main__":
    main()
