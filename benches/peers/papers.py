#!/usr/bin/env python3
"""Figures 7d and 8b of Brüdigam 2023 beside MuJoCo, as the paper has them: depth of a falling cube, time of falling chains of spheres.

    python -m venv peers && peers/bin/pip install -r benches/peers/requirements.txt
    peers/bin/python benches/peers/papers.py [--program target/release/driftless] [--output reproduced/peers] [--film]

The cube's table is that of `driftless reproduce --quick bruedigam2023/7d`, with a column for MuJoCo; the chains run in turns, and times are
the medians of all steps, of which the least of several runs counts. MuJoCo runs with its defaults but for step, friction and the elliptic cone. Tables are written as CSV, figures as
SVG; `--film` also draws both cubes while their lowest places grow, as a GIF.
"""

import argparse
import csv
import json
import math
import subprocess
import time
from pathlib import Path

import mujoco
import numpy as np
from contact import chain_model, program, run, world

# Edge of the cube [m], how long it falls [s], and the height of the film [m].
EDGE = 0.5
SECOND = 1.0
FILMED = 0.4
# How long chains fall [s].
FALL = 5.0
STEP = 0.01


def cube(height):
    rubbing = 'friction="0.3 0 0" condim="3"'
    half = EDGE / 2
    body = f'<body pos="0 0 {height + half}"><freejoint/><geom type="box" size="{half} {half} {half}" mass="1" {rubbing}/></body>'
    return world(STEP, body, f'<geom type="plane" size="50 50 1" {rubbing}/>')


def lowest(position, turn):
    """Lowest place of a corner of the cube [m]; the turn is a quaternion, w first."""
    w, x, y, z = np.asarray(turn) / np.linalg.norm(turn)
    row = np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
    return float(position[2] - EDGE / 2 * np.abs(row).sum())


def mujoco_fall(height):
    """Lowest place of the cube after each step [m]."""
    places = [height]
    run(cube(height), SECOND, lambda data: places.append(lowest(data.qpos[:3], data.qpos[3:])))
    return places


def reproduced(path, folder):
    """The table of figure 7d, by column."""
    subprocess.run([path, "reproduce", "--quick", "bruedigam2023/7d", "-o", folder], stdout=subprocess.DEVNULL, check=True)
    lines = (folder / "bruedigam2023_7d.csv").read_text().splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return [{name: float(value) for name, value in row.items()} for row in rows]


def drops(path, folder):
    rows = reproduced(path, folder)
    for row in rows:
        row["MuJoCo: lowest [m]"] = min(mujoco_fall(row["height [m]"]))
    print(f"\nFigure 7d: lowest place of a cube of 0.5 m in the second after it was dropped [m], MuJoCo {mujoco.__version__}\n")
    names = list(rows[0])
    print("| " + " | ".join(names) + " |\n" + "|---" * len(names) + "|")
    for row in rows:
        print("| " + f"{row[names[0]]:g} | " + " | ".join(f"{row[name]:.1e}" for name in names[1:]) + " |")
    write(folder / "papers_7d.csv", rows)
    curves = {name: [(row[names[0]], row[name]) for row in rows] for name in names[1:]}
    draw(folder / "papers_7d.svg", "Lowest place of a cube that falls on the ground", names[0], "lowest place [m]", curves)


def driftless_chain(path, spheres, solver):
    command = [path, "run", f"sphere-chain:spheres={spheres}", "--integrator", "variational", "--dt", str(STEP)]
    command += ["--duration", str(FALL), "--option", f"contact_solver={solver}", "--json"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def timed(model):
    """Median time of a step of MuJoCo [s]."""
    data = mujoco.MjData(model)
    times = []
    for _ in range(round(FALL / STEP)):
        start = time.perf_counter()
        mujoco.mj_step(model, data)
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def chains(path, folder, sizes, rounds):
    rows = []
    for spheres in sizes:
        model = chain_model(spheres, STEP)
        # What is deep and whether it diverges does not depend on the round.
        _, deepest = run(model, FALL)
        ours, interior, theirs = [math.inf], [math.inf], [math.inf]
        for _ in range(rounds):
            report = driftless_chain(path, spheres, "hybrid")
            ours.append(report["step_seconds"]["median"])
            point = driftless_chain(path, spheres, "interior-point")
            interior.append(point["step_seconds"]["median"])
            # A run that diverges is begun again by MuJoCo, which makes another one of it.
            theirs.append(math.nan if deepest is None else timed(model))
        rows.append(
            {
                "spheres": spheres,
                "variational: time of a step [s]": min(ours),
                "interior point: time of a step [s]": min(interior),
                "MuJoCo: time of a step [s]": math.nan if deepest is None else min(theirs),
                "variational: deepest [m]": report["contact"]["max_penetration"],
                "interior point: deepest [m]": point["contact"]["max_penetration"],
                "MuJoCo: deepest [m]": math.nan if deepest is None else deepest,
            }
        )
    print(f"\nFigure 8b: chains of spheres that fall on the ground, {FALL:g} s in steps of {STEP} s\n")
    names = list(rows[0])
    print("| " + " | ".join(names) + " |\n" + "|---" * len(names) + "|")
    for row in rows:
        shown = (f"{row[name]:.1e}" if math.isfinite(row[name]) else "diverges" for name in names[1:])
        print("| " + f"{row[names[0]]} | " + " | ".join(shown) + " |")
    for name in names[1:4]:
        late = [row for row in rows if row["spheres"] >= 10 and math.isfinite(row[name])]
        if len(late) > 1:
            slope = np.polyfit([math.log(row["spheres"]) for row in late], [math.log(row[name]) for row in late], 1)[0]
            print(f"{name.split(':')[0]}: grows from 10 spheres on to the power of {slope:.2f}")
    write(folder / "papers_8b.csv", rows)
    curves = {name: [(row["spheres"], row[name]) for row in rows] for name in names[1:4]}
    draw(folder / "papers_8b.svg", "Time of a step of a chain of spheres with contacts", "spheres", "time of a step [s]", curves)


def write(file, rows):
    with file.open("w", newline="") as out:
        table = csv.DictWriter(out, rows[0].keys())
        table.writeheader()
        table.writerows(rows)


COLOURS = ["#1f5fa8", "#c8501e", "#2d8a4e", "#8a4ea0", "#444444"]


def draw(file, title, across, up, curves):
    """Curves by name as an SVG picture."""
    width, height, left, bottom, top = 720, 420, 90, 60, 40
    points = [p for curve in curves.values() for p in curve if math.isfinite(p[1])]
    (x0, x1), (y0, y1) = ((min(p[k] for p in points), max(p[k] for p in points)) for k in (0, 1))
    y0 = min(y0, 0.0)

    def place(x, y):
        at = left + (x - x0) / (x1 - x0) * (width - left - 20)
        return at, height - bottom - (y - y0) / (y1 - y0) * (height - bottom - top)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">']
    parts.append(f'<rect width="{width}" height="{height}" fill="white"/><text x="{left}" y="22" font-size="16">{title}</text>')
    for k in range(5):
        x, y = x0 + k / 4 * (x1 - x0), y0 + k / 4 * (y1 - y0)
        (h, _), (_, v) = place(x, y0), place(x0, y)
        parts.append(f'<path d="M{left} {v:.1f}H{width - 20}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{v + 4:.1f}" text-anchor="end">{y:.3g}</text>')
        parts.append(f'<text x="{h:.1f}" y="{height - bottom + 18}" text-anchor="middle">{x:.3g}</text>')
    parts.append(f'<text x="{(left + width) / 2}" y="{height - 20}" text-anchor="middle">{across}</text>')
    parts.append(f'<text transform="translate(16 {height / 2}) rotate(-90)" text-anchor="middle">{up}</text>')
    for k, (name, curve) in enumerate(curves.items()):
        places = [place(*p) for p in curve if math.isfinite(p[1])]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        colour = COLOURS[k % len(COLOURS)]
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        parts.append(f'<text x="{left + 12}" y="{top + 18 + 17 * k}" fill="{colour}">{name}</text>')
    file.write_text("\n".join(parts) + "\n</svg>\n")


def film(path, folder):
    """Both cubes, and below them their lowest places against time, step by step."""
    from PIL import Image, ImageDraw, ImageFont

    table = folder / "film.csv"
    command = [path, "run", f"drop:height={FILMED},mu=0.3", "--integrator", "variational", "--dt", str(STEP)]
    subprocess.run([*command, "--duration", str(SECOND), "--csv", table], stdout=subprocess.DEVNULL, check=True)
    rows = list(csv.DictReader(line for line in table.read_text().splitlines() if not line.startswith("#")))
    axes = [next(name for name in rows[0] if name.startswith(f"cube.{axis}")) for axis in ("x", "y", "z", "qw", "qx", "qy", "qz")]
    states = [[float(row[name]) for name in axes] for row in rows]
    ours = [lowest(state[:3], state[3:]) for state in states]
    theirs = mujoco_fall(FILMED)
    width, height, ground, scale = 640, 480, 250, 230
    font = ImageFont.load_default(15)
    frames = []
    for k in range(min(len(ours), len(theirs))):
        image = Image.new("RGB", (width, height), "white")
        pen = ImageDraw.Draw(image)
        for place, name, middle, colour in ((ours[k], "Driftless, variational", 170, COLOURS[0]), (theirs[k], "MuJoCo", 470, COLOURS[1])):
            foot, half = ground - place * scale, EDGE / 2 * scale
            pen.rectangle((middle - half, foot - 2 * half, middle + half, foot), fill=colour)
            pen.rectangle((middle - 140, ground, middle + 140, ground + 22), fill="#d9d4c8")
            if foot > ground:
                pen.rectangle((middle - half, ground, middle + half, foot), fill="#7a1f10")
            pen.text((middle, ground + 36), f"{name}: {1e3 * place:.1f} mm", fill="black", font=font, anchor="mm")
        left, bottom, top = 70, 460, 310
        # From 50 mm above the ground to 40 mm below it.
        level = lambda place: bottom - (min(max(place, -0.04), 0.05) + 0.04) / 0.09 * (bottom - top)
        for place in (-0.04, 0.0, 0.04):
            pen.line((left, level(place), width - 20, level(place)), fill="#222222" if place == 0 else "#dddddd")
            pen.text((left - 8, level(place)), f"{1e3 * place:.0f} mm", fill="black", font=font, anchor="rm")
        pen.text((width - 20, height - 10), f"lowest place, {k * STEP:.2f} s after the drop", fill="black", font=font, anchor="rm")
        for places, colour in ((theirs, COLOURS[1]), (ours, COLOURS[0])):
            curve = [(left + n / 100 * (width - 20 - left), level(places[n])) for n in range(k + 1)]
            if len(curve) > 1:
                pen.line(curve, fill=colour, width=2)
        frames.append(image.quantize(32))
    # Slower than life: 20 frames a second, and the end for two seconds.
    shown = [50] * (len(frames) - 1) + [2000]
    frames[0].save(folder / "papers_7d.gif", save_all=True, append_images=frames[1:], duration=shown, loop=0, optimize=True)
    print(f"\nlowest in the second: Driftless {min(ours):.1e} m, MuJoCo {min(theirs):.1e} m; {folder / 'papers_7d.gif'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", help="an executable of Driftless; else one is built")
    parser.add_argument("--output", type=Path, default=Path("reproduced/peers"), help="folder of tables and pictures")
    parser.add_argument("--spheres", type=int, nargs="*", default=[5, 10, 20, 30, 40, 50])
    parser.add_argument("--rounds", type=int, default=3, help="runs of every chain, the least time counts")
    parser.add_argument("--film", action="store_true", help="draw both cubes as a GIF")
    arguments = parser.parse_args()
    path = arguments.program or program()
    arguments.output.mkdir(parents=True, exist_ok=True)
    drops(path, arguments.output)
    chains(path, arguments.output, arguments.spheres, arguments.rounds)
    if arguments.film:
        film(path, arguments.output)


if __name__ == "__main__":
    main()
