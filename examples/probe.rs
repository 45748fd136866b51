//! Temporary probe.
use driftless::integrators::{ContactSolver, FrictionCone, Settings};
use driftless::math::*;
use driftless::model::*;
use driftless::sim::{Input, Simulation};
use std::collections::BTreeMap;

fn body(name: &str, mass: f64, g: Geometry) -> Body {
    let i = match &g {
        Geometry::Sphere { radius } => Mat3::identity() * (0.4 * mass * radius * radius),
        Geometry::Box { size } => {
            let s = size.component_mul(size);
            Mat3::from_diagonal(&(Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 12.0)))
        }
        _ => Mat3::identity() * mass * 0.01,
    };
    let mut b = Body::new(name, mass, i);
    b.shapes = vec![Shape {
        geometry: g,
        pose: Pose::identity(),
        colour: None,
        touch: Touch::default(),
    }];
    b
}
fn half(n: Vec3, at: Vec3) -> Shape {
    let q = Quat::rotation_between(&Vec3::z(), &n).unwrap();
    Shape {
        geometry: Geometry::HalfSpace,
        pose: Pose::from_parts(at.into(), q),
        colour: None,
        touch: Touch::default(),
    }
}
struct B {
    parts: ModelParts,
    pos: Vec<(Vec3, Quat, Vec3, Vec3)>,
}
impl B {
    fn new(mu: f64, e: f64) -> Self {
        B {
            parts: ModelParts {
                gravity: Vec3::new(0., 0., -9.81),
                contact: Some(ContactRules {
                    materials: vec![Material {
                        name: "a".into(),
                        friction: mu,
                        restitution: e,
                    }],
                    ..Default::default()
                }),
                ..Default::default()
            },
            pos: vec![],
        }
    }
    fn add(&mut self, mass: f64, g: Geometry, p: Vec3, v: Vec3) -> usize {
        self.addq(mass, g, p, Quat::identity(), v, Vec3::zeros())
    }
    fn addq(&mut self, mass: f64, g: Geometry, p: Vec3, q: Quat, v: Vec3, w: Vec3) -> usize {
        let n = self.parts.bodies.len();
        self.parts.bodies.push(body(&format!("b{n}"), mass, g));
        self.pos.push((p, q, v, w));
        n
    }
    fn sim(self, s: Settings, m: &str) -> Simulation {
        let model = Model::new(self.parts).unwrap();
        let mut st = State::at_rest(&model);
        for (b, (p, q, v, w)) in st.bodies.iter_mut().zip(&self.pos) {
            b.position = *p;
            b.orientation = *q;
            b.velocity.linear = *v;
            b.velocity.angular = *w;
        }
        Simulation::new(model, st, m, s).unwrap()
    }
}
struct Rng(u64);
impl Rng {
    fn f(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn r(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.f()
    }
}

fn run(mut sim: Simulation, steps: usize, verbose: usize) -> Simulation {
    let mut rungs: BTreeMap<String, usize> = BTreeMap::new();
    let (mut its, mut maxit, mut pen, mut comp, mut time, mut maxt, mut fail, mut fac, mut gain) =
        (0u64, 0u32, 0.0f64, 0.0f64, 0.0, 0.0f64, 0, 0u64, 0.0f64);
    let mut cone = 0.0f64;
    let mut pts = 0;
    let mut rounds = 0;
    let mut stalled = 0;
    let mut e0 = sim.energy().total();
    for k in 0..steps {
        match sim.timed_step(&Input::default()) {
            Ok(r) => {
                *rungs.entry(format!("{:?}", r.rung)).or_default() += 1;
                its += r.iterations as u64;
                maxit = maxit.max(r.iterations);
                pen = pen.max(r.contact.penetration);
                comp = comp.max(r.contact.complementarity);
                fac += r.factorisations as u64;
                cone = cone.max(r.contact.cone_violation);
                pts = pts.max(r.contact.closed);
                rounds = rounds.max(r.contact.rounds);
                if r.outcome != driftless::integrators::Outcome::Converged {
                    stalled += 1;
                }
                if verbose > 0
                    && (k < verbose || r.rung >= driftless::integrators::Rung::InteriorPoint)
                {
                    println!(
                        "  step {k} {:?} it {} fac {} pen {:.1e} comp {:.1e} closed {}/{} rounds {} res {:.1e} outc {:?}",
                        r.rung,
                        r.iterations,
                        r.factorisations,
                        r.contact.penetration,
                        r.contact.complementarity,
                        r.contact.closed,
                        r.contact.candidates,
                        r.contact.rounds,
                        r.residual,
                        r.outcome
                    );
                }
            }
            Err(e) => {
                fail += 1;
                if fail < 4 {
                    println!("  step {k}: {e}");
                }
            }
        }
        time += sim.step_seconds();
        maxt = maxt.max(sim.step_seconds());
        let e = sim.energy().total();
        gain = gain.max(e - e0);
        e0 = e;
    }
    let s = sim.sample();
    println!(
        "  {steps} steps: fail {fail} stalled {stalled} it {:.2} max {maxit} fac/step {:.2} pen {pen:.1e} comp {comp:.1e} cone {cone:.1e} pts {pts} rounds {rounds} mean {:.1} us max {:.2} ms gain {gain:.1e} Eerr {:.2e} {:?}",
        its as f64 / steps as f64,
        fac as f64 / steps as f64,
        time / steps as f64 * 1e6,
        maxt * 1e3,
        s.energy_error,
        rungs
    );
    sim
}
fn bx(s: f64) -> Geometry {
    Geometry::Box {
        size: Vec3::repeat(s),
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let which = args[1].as_str();
    let n: usize = args.get(2).and_then(|x| x.parse().ok()).unwrap_or(10);
    let x: f64 = args.get(3).and_then(|x| x.parse().ok()).unwrap_or(0.5);
    let verb: usize = args.get(4).and_then(|x| x.parse().ok()).unwrap_or(0);
    let dt: f64 = args.get(5).and_then(|x| x.parse().ok()).unwrap_or(0.01);
    let mut set = Settings {
        dt,
        ..Settings::default()
    };
    match args.get(6).map(|s| s.as_str()) {
        Some("ip") => set.contact_solver = ContactSolver::InteriorPoint,
        Some("newton") => set.contact_solver = ContactSolver::Newton,
        Some(c) if c.starts_with("lin") => set.friction = c.parse().unwrap(),
        _ => {}
    }
    if let Some("ip") = args.get(7).map(|s| s.as_str()) {
        set.contact_solver = ContactSolver::InteriorPoint
    }
    let up = Vec3::z();
    match which {
        "drop" => {
            let mut b = B::new(0.3, 0.0);
            b.parts.world_shapes.push(half(up, Vec3::zeros()));
            b.add(1.0, bx(0.5), Vec3::new(0., 0., 0.25 + x), Vec3::zeros());
            let s = run(b.sim(set, "variational-2"), n, verb);
            println!("z {:e}", s.state().bodies[0].position.z - 0.25);
        }
        "bounce" => {
            let mut b = B::new(0.3, x);
            b.parts.world_shapes.push(half(up, Vec3::zeros()));
            b.add(1.0, bx(0.5), Vec3::new(0., 0., 1.25), Vec3::zeros());
            let mut s = b.sim(set, "variational-2");
            let mut last = 1.0;
            let mut rising = false;
            for _ in 0..n {
                let _ = s.step(&Input::default()).unwrap();
                let z = s.state().bodies[0].position.z - 0.25;
                if rising && z < last {
                    println!("peak {last:.5}");
                    rising = false;
                }
                if z > last {
                    rising = true;
                }
                last = z;
            }
        }
        "slope" => {
            for mu in [0.0, 0.125, 0.25, 0.375] {
                for m in ["variational", "variational-2"] {
                    let a = 15f64.to_radians();
                    let nn = Vec3::new(a.sin(), 0., a.cos());
                    let mut b = B::new(mu, 0.0);
                    b.parts.world_shapes.push(half(nn, Vec3::zeros()));
                    let q = Quat::from_axis_angle(&Vec3::y_axis(), a);
                    b.addq(1.0, bx(0.5), nn * 0.25, q, Vec3::zeros(), Vec3::zeros());
                    let steps = (1.0 / dt).round() as usize;
                    let s = run(b.sim(set, m), steps, verb);
                    println!(
                        "mu {mu} {m} distance {:.6} v {:.2e}",
                        (s.state().bodies[0].position - nn * 0.25).norm(),
                        s.state().bodies[0].velocity.linear.norm()
                    );
                }
            }
        }
        "stack" => {
            let mut b = B::new(0.5, 0.0);
            b.parts.world_shapes.push(half(up, Vec3::zeros()));
            for k in 0..10 {
                let off = x * if k % 2 == 0 { 1.0 } else { -1.0 };
                b.addq(
                    1.0,
                    bx(0.5),
                    Vec3::new(off, 0.3 * off, 0.25 + 0.5 * k as f64),
                    Quat::from_axis_angle(&Vec3::z_axis(), x * k as f64),
                    Vec3::zeros(),
                    Vec3::zeros(),
                );
            }
            let s = run(b.sim(set, "variational-2"), n, verb);
            println!("top z {:e}", s.state().bodies[9].position.z - 4.75);
        }
        "column" => {
            let mut b = B::new(0.5, 0.0);
            b.parts.world_shapes.push(half(up, Vec3::zeros()));
            let r = 0.25;
            for k in 0..n {
                let m = (x.ln() * k as f64 / (n as f64 - 1.0)).exp();
                b.add(
                    m,
                    Geometry::Sphere { radius: r },
                    Vec3::new(0., 0., r + 2.0 * r * k as f64),
                    Vec3::zeros(),
                );
            }
            let s = run(b.sim(set, "variational-2"), 500, verb);
            println!(
                "top {:e}",
                s.state().bodies[n - 1].position.z - (r + 2.0 * r * (n as f64 - 1.0))
            );
        }
        "chain" => {
            let mut b = B::new(1.0, 0.0);
            b.parts.world_shapes.push(half(up, Vec3::zeros()));
            let a = 3.0 * std::f64::consts::FRAC_PI_4;
            let q = Quat::from_axis_angle(&Vec3::x_axis(), a);
            let d = q * Vec3::z();
            for k in 0..n {
                b.addq(
                    1.0,
                    Geometry::Sphere { radius: 0.25 },
                    Vec3::new(0., 0., 0.3) - d * (k as f64),
                    q,
                    Vec3::zeros(),
                    Vec3::zeros(),
                );
                if k > 0 {
                    b.parts.joints.push(Joint {
                        name: format!("j{k}"),
                        kind: JointKind::Spherical,
                        parent: Some(BodyId(k - 1)),
                        child: BodyId(k),
                        parent_frame: JointFrame {
                            anchor: Vec3::zeros(),
                            orientation: Quat::identity(),
                        },
                        child_frame: JointFrame {
                            anchor: Vec3::z(),
                            orientation: Quat::identity(),
                        },
                        damping_translation: 0.,
                        damping_rotation: 0.,
                        springs: vec![],
                        actuators: vec![],
                        limits: vec![],
                    });
                }
            }
            let s = run(b.sim(set, "variational-2"), 500, verb);
            println!(
                "low {:e}",
                s.state()
                    .bodies
                    .iter()
                    .map(|b| b.position.z - 0.25)
                    .fold(1.0, f64::min)
            );
        }
        "pile" => {
            let mu = x;
            let w = 2.0;
            let ratio: f64 = args.get(8).and_then(|x| x.parse().ok()).unwrap_or(1.0);
            let seed: u64 = args.get(9).and_then(|x| x.parse().ok()).unwrap_or(1);
            let steps: usize = args.get(10).and_then(|x| x.parse().ok()).unwrap_or(300);
            let mut rng = Rng(88172645463325252u64.wrapping_mul(2 * seed + 1));
            let mut b = B::new(mu, 0.0);
            b.parts.world_shapes.push(half(up, Vec3::zeros()));
            for (nn, at) in [
                (Vec3::x(), Vec3::new(-w / 2., 0., 0.)),
                (-Vec3::x(), Vec3::new(w / 2., 0., 0.)),
                (Vec3::y(), Vec3::new(0., -w / 2., 0.)),
                (-Vec3::y(), Vec3::new(0., w / 2., 0.)),
            ] {
                b.parts.world_shapes.push(half(nn, at));
            }
            let mut z = 0.4;
            let mut k = 0;
            while k < n {
                for _ in 0..4 {
                    if k >= n {
                        break;
                    }
                    let r = rng.r(0.2, 0.35);
                    let (ix, iy) = ((k % 4) % 2, (k % 4) / 2);
                    let p = Vec3::new(
                        -0.5 + ix as f64 * 1.0 + rng.r(-0.1, 0.1),
                        -0.5 + iy as f64 * 1.0 + rng.r(-0.1, 0.1),
                        z,
                    );
                    let m = (ratio.ln() * rng.r(0.0, 1.0)).exp();
                    b.add(
                        m,
                        Geometry::Sphere { radius: r },
                        p,
                        Vec3::new(rng.r(-1., 1.), rng.r(-1., 1.), 0.),
                    );
                    k += 1;
                }
                z += 0.75;
            }
            let s = run(b.sim(set, "variational-2"), steps, verb);
            println!(
                "low {:e}",
                s.state()
                    .bodies
                    .iter()
                    .map(|b| b.position.z)
                    .fold(10.0, f64::min)
            );
        }
        "wall" => {
            let mut b = B::new(0.5, 0.0);
            b.parts.gravity = Vec3::zeros();
            b.parts.world_shapes.push(Shape {
                geometry: Geometry::Box {
                    size: Vec3::new(0.05, 2., 2.),
                },
                pose: Pose::identity(),
                colour: None,
                touch: Touch::default(),
            });
            b.addq(
                1.0,
                bx(0.1),
                Vec3::new(-1.73, 0.1, 0.05),
                Quat::from_euler_angles(0.3, 0.2, 0.1 * x),
                Vec3::new(100., 0., 0.),
                Vec3::new(3., 5., 9.) * x,
            );
            let s = run(b.sim(set, "variational-2"), n, verb);
            println!(
                "x {:?} v {:?}",
                s.state().bodies[0].position,
                s.state().bodies[0].velocity
            );
        }
        "toss" => {
            let mut b = B::new(x, 0.0);
            b.parts.world_shapes.push(half(up, Vec3::zeros()));
            b.addq(
                1.0,
                bx(0.5),
                Vec3::new(0., -2., 1.5),
                Quat::identity(),
                Vec3::new(0., 3., 7.0),
                Vec3::new(1., 2., 3.),
            );
            let s = run(b.sim(set, "variational-2"), n, verb);
            println!("z {:?}", s.state().bodies[0].position);
        }
        _ => {}
    }
}
