//! Rooms in which the islands of a problem are solved, one for each thread.

use super::island::Island;
use super::partition::Partition;
use super::turns::Iterated;
use super::{Node, Options, Point, Report};
use crate::threads;
use std::cmp::Reverse;

/// Points beside those of the fullest room from which on islands are shared out. Each takes a microsecond or more, as
/// long as handing a room over.
const SHARED: usize = 16;

/// A room for the islands of one thread. What comes of an island does not depend on those solved before in the same room.
#[derive(Debug, Clone, Default)]
pub(super) struct Room {
    island: Island,
    /// Its islands.
    own: Vec<u32>,
    /// Points of these.
    load: usize,
    /// Motions found, by body.
    pub motions: Vec<(usize, [f64; 6])>,
    /// Impulses found, by point.
    pub impulses: Vec<(usize, [f64; 3])>,
    /// What became of its islands.
    pub reports: Vec<Report>,
}

/// The rooms; those that are not needed keep what they have grown to.
#[derive(Debug, Clone, Default)]
pub(super) struct Rooms {
    rooms: Vec<Room>,
    /// Islands, those with most points first.
    order: Vec<u32>,
}

impl Rooms {
    /// Solves all islands; the rooms then hold what came of them.
    pub fn solve(
        &mut self,
        (bodies, points): (&[Node], &[Point]),
        partition: &Partition,
        options: impl Fn(usize) -> Options + Sync,
    ) -> &[Room] {
        let rooms = self.share(partition);
        threads::each(rooms, |_, room| {
            for k in 0..room.own.len() {
                let (own_bodies, own_points) = partition.island(room.own[k] as usize);
                room.solve((bodies, points), (own_bodies, own_points), &options);
            }
        });
        rooms
    }

    /// Shares the islands out, each to the room that has least, the largest first: by what they are, and not by who is
    /// free, so that rooms grow to the same.
    fn share(&mut self, partition: &Partition) -> &mut [Room] {
        let Self { rooms, order } = self;
        let islands = 0..partition.islands();
        let size = |k: u32| partition.island(k as usize).1.len();
        let count = threads::count().min(islands.len()).max(1);
        if rooms.len() < count {
            rooms.resize_with(count, Room::default);
        }
        rooms.iter_mut().for_each(Room::clear);
        if count == 1 {
            rooms[0].own.extend(islands.map(|k| k as u32));
            return &mut rooms[..1];
        }
        order.clear();
        order.extend(islands.map(|k| k as u32));
        order.sort_unstable_by_key(|&k| (Reverse(size(k)), k));
        let (mut total, mut most) = (0, 0);
        for &k in &*order {
            let mut least = 0;
            for room in 1..count {
                if rooms[room].load < rooms[least].load {
                    least = room;
                }
            }
            let room = &mut rooms[least];
            room.own.push(k);
            room.load += size(k);
            total += size(k);
            most = most.max(room.load);
        }
        if total - most >= SHARED {
            return &mut rooms[..count];
        }
        rooms.iter_mut().for_each(Room::clear);
        rooms[0].own.extend_from_slice(order);
        &mut rooms[..1]
    }
}

impl Room {
    fn clear(&mut self) {
        self.own.clear();
        self.load = 0;
        self.motions.clear();
        self.impulses.clear();
        self.reports.clear();
    }

    fn solve(
        &mut self,
        (bodies, points): (&[Node], &[Point]),
        own: (&[u32], &[u32]),
        options: &impl Fn(usize) -> Options,
    ) {
        let island = &mut self.island;
        island.load(bodies, points, own.0, own.1);
        if own.1.is_empty() {
            island.refresh();
        } else {
            let options = options(own.0.first().map_or(0, |&b| b as usize));
            self.reports.push(island.solve(&options));
        }
        island.tell(
            |k, motion| self.motions.push((k, motion)),
            |k, impulse| self.impulses.push((k, impulse)),
        );
    }
}
