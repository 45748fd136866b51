//! The lanes on a thread of their own, each of them stepped on one more: the window sends orders and reads the board.

use crate::compare::board::{Board, Handed, LaneTrace};
use physics::integrators::Settings;
use physics::model::Twist;
use physics::sim::comparison::{Lane, LaneSpec, Workers};
use physics::sim::export::write_comparison;
use physics::sim::{Comparison, Input, Mechanism, Simulation, Snapshot};
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Times within this fraction of a step are the same.
const SAME: f64 = 1e-6;

/// Parts into which many steps are divided, so that the board follows.
const PARTS: usize = 8;

/// What the lanes are to do.
pub enum Order {
    /// Begin at a moment; lanes with their names, of which one leads.
    Begin {
        /// The moment.
        start: Box<Snapshot>,
        /// The lanes.
        lanes: Vec<(u64, LaneSpec)>,
        /// The place of the one that leads.
        leader: usize,
    },
    /// Go on by a step of the leader for every input.
    Run(Vec<Input>),
    /// Tell once more what was reached, now with velocities.
    Look,
    /// Have another lane lead.
    Lead {
        /// Its name.
        id: u64,
        /// Time of the session (s).
        time: f64,
        /// Steps that the session has taken.
        step: u64,
        /// What acts on it.
        input: Input,
    },
    /// Hand out the lanes once more, as they are.
    Fork(Sender<Comparison>),
    /// Go on with lanes that somebody hands out, by their names.
    Adopt(Receiver<Comparison>, Vec<u64>),
    /// Take a lane out.
    Remove(u64),
    /// Write what the plots show to a file.
    Export {
        /// The file.
        path: PathBuf,
        /// Name of the scene.
        scene: String,
    },
}

/// The window's end.
pub struct Link {
    orders: Sender<Order>,
    board: Arc<Board>,
    sent: u64,
    leaves: Arc<AtomicBool>,
    /// Whether velocities are drawn, which takes reading them from the momenta.
    pub velocities: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Link {
    /// Starts the thread.
    pub fn start() -> Self {
        let (orders, inbox) = channel();
        let board = Arc::new(Board::default());
        let leaves = Arc::new(AtomicBool::new(false));
        let velocities = Arc::new(AtomicBool::new(false));
        let mut worker = LaneWorker {
            board: board.clone(),
            leaves: leaves.clone(),
            velocities: velocities.clone(),
            lanes: None,
            ids: Vec::new(),
        };
        let thread = thread::spawn(move || worker.work(&inbox));
        Self {
            orders,
            board,
            sent: 0,
            leaves,
            velocities,
            thread,
        }
    }

    /// Sends an order.
    pub fn send(&mut self, order: Order) {
        // A thread that has ended is found by `is_alive`.
        if self.orders.send(order).is_ok() {
            self.sent += 1;
        }
    }

    /// What the lanes have reached.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether every order is carried out; waits for that, but not long.
    pub fn is_done(&self, patience: Duration) -> bool {
        self.board.wait(self.sent, patience)
    }

    /// Whether the thread still works.
    pub fn is_alive(&self) -> bool {
        !self.thread.is_finished()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // The thread ends by itself after the step that it is in.
        self.leaves.store(true, Ordering::Relaxed);
    }
}

/// The lanes' end.
struct LaneWorker {
    board: Arc<Board>,
    leaves: Arc<AtomicBool>,
    velocities: Arc<AtomicBool>,
    lanes: Option<Comparison>,
    ids: Vec<u64>,
}

impl LaneWorker {
    fn work(&mut self, inbox: &Receiver<Order>) {
        while let Ok(order) = inbox.recv() {
            self.carry_out(order);
            if self.leaves.load(Ordering::Relaxed) {
                return;
            }
            self.board.write(|sheet| sheet.done += 1);
        }
    }

    fn carry_out(&mut self, order: Order) {
        match order {
            Order::Begin {
                start,
                lanes,
                leader,
            } => self.begin(&start, lanes, leader),
            Order::Run(inputs) => self.run(&inputs),
            Order::Look => self.publish(false),
            Order::Fork(whom) => {
                let fork = self.lanes.as_ref().and_then(|l| l.fork().ok());
                // Whoever asked may have left.
                if let Some(fork) = fork {
                    let _ = whom.send(fork);
                }
            }
            Order::Adopt(lanes, ids) => {
                self.lanes = lanes.recv().ok();
                self.ids = ids;
                self.publish(true);
            }
            Order::Lead {
                id,
                time,
                step,
                input,
            } => self.lead(id, time, step, &input),
            Order::Remove(id) => {
                let place = self.place(id);
                if let (Some(place), Some(lanes)) = (place, &mut self.lanes)
                    && lanes.remove(place)
                {
                    self.ids.remove(place);
                    self.board.write(|s| s.lanes.retain(|l| l.id != id));
                }
            }
            Order::Export { path, scene } => {
                let written = match &self.lanes {
                    Some(lanes) => export(&path, &scene, lanes),
                    None => Err("nothing is being compared".into()),
                };
                let told = written
                    .map(|()| path.clone())
                    .map_err(|e| format!("{}: {e}", path.display()));
                self.board.write(|s| s.written = Some(told));
            }
        }
    }

    fn begin(&mut self, start: &Snapshot, lanes: Vec<(u64, LaneSpec)>, leader: usize) {
        let (ids, specs): (Vec<_>, Vec<_>) = lanes.into_iter().unzip();
        // Whoever sends this has checked that the lanes meet.
        self.lanes = Comparison::new(start, specs).ok();
        self.ids = ids;
        if let Some(lanes) = &mut self.lanes {
            lanes.lead(leader);
        }
        self.publish(true);
    }

    fn run(&mut self, inputs: &[Input]) {
        // The last steps one by one: what is drawn lies between them.
        let (many, last) = inputs.split_at(inputs.len().saturating_sub(2));
        let part = many.len().div_ceil(PARTS).max(1);
        for inputs in many.chunks(part).chain(last.chunks(1)) {
            if self.leaves.load(Ordering::Relaxed) {
                return;
            }
            if let Some(lanes) = &mut self.lanes {
                lanes.run(inputs, Workers::Threads);
            }
            self.publish(false);
        }
    }

    fn lead(&mut self, id: u64, time: f64, step: u64, input: &Input) {
        let place = self.place(id);
        let (Some(place), Some(lanes)) = (place, &mut self.lanes) else {
            return;
        };
        let let_go = lanes.lane(place).and_then(Lane::simulation);
        let mechanism = let_go.and_then(|sim| hand_over(sim, time, step, input).ok());
        let handed = mechanism
            .filter(|_| lanes.lead(place))
            .map(|mechanism| Handed { id, mechanism });
        self.publish(false);
        self.board.write(|s| s.handed = handed);
    }

    fn place(&self, id: u64) -> Option<usize> {
        self.ids.iter().position(|i| *i == id)
    }

    /// Writes what the lanes have reached to the board; `anew` if they have just begun.
    fn publish(&mut self, anew: bool) {
        let Some(comparison) = &mut self.lanes else {
            return;
        };
        let longest = comparison
            .lanes()
            .iter()
            .map(|l| l.spec.settings.dt)
            .fold(0.0, f64::max);
        let since = comparison.time() - 3.0 * longest;
        let wanted = self.velocities.load(Ordering::Relaxed);
        let velocities: Vec<Vec<Twist>> = (0..self.ids.len())
            .map(|place| {
                let lane = comparison.lane(place).filter(|_| wanted);
                let simulation = lane.and_then(Lane::simulation);
                simulation.map_or_else(Vec::new, |sim| sim.velocities().to_vec())
            })
            .collect();
        let lanes = self.ids.iter().zip(comparison.lanes()).zip(&velocities);
        self.board.write(|sheet| {
            if anew {
                sheet.lanes.clear();
            }
            for ((id, lane), velocities) in lanes {
                if sheet.lane(*id).is_none() {
                    sheet.lanes.push(LaneTrace::new(*id, lane));
                }
                let shown = sheet.lanes.iter_mut().find(|l| l.id == *id);
                if let Some(shown) = shown {
                    shown.catch_up(lane, velocities, since);
                }
            }
        });
    }
}

/// Has a lane let go of its state at a time and take it again, as the session does that goes on from it: both are
/// the same from then on. A lane between two of its steps gets there by a shorter one.
pub fn hand_over(
    sim: &mut Simulation,
    time: f64,
    step: u64,
    input: &Input,
) -> Result<Arc<Mechanism>, String> {
    let own = *sim.settings();
    let rest = time - sim.state().time;
    if rest > own.dt * (1.0 + SAME) {
        return Err("it stands still".into());
    }
    if rest > SAME * own.dt {
        let shorter = Settings { dt: rest, ..own };
        sim.set_settings(shorter).map_err(|e| e.to_string())?;
        let taken = sim.step(input).map(drop).map_err(|e| e.to_string());
        sim.set_settings(own).map_err(|e| e.to_string())?;
        taken?;
    }
    let mut state = sim.state_at_knot();
    (state.time, state.step) = (time, step);
    let mechanism = Mechanism {
        model: sim.shared_model().clone(),
        state,
        first: false,
    };
    sim.set_mechanism(&mechanism).map_err(|e| e.to_string())?;
    Ok(Arc::new(mechanism))
}

fn export(path: &Path, scene: &str, lanes: &Comparison) -> Result<(), String> {
    let file = File::create(path).map_err(|e| e.to_string())?;
    write_comparison(BufWriter::new(file), scene, lanes).map_err(|e| e.to_string())
}
