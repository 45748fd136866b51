//! A list of numbers for each of some places, all in one room.

/// The lists.
#[derive(Debug, Clone, Default)]
pub(super) struct Lists {
    /// First of every list, and the number of all.
    first: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    /// Makes `count` lists of numbers, each with the place of its list, in order.
    pub fn make(&mut self, count: usize, numbers: impl Iterator<Item = (usize, u32)> + Clone) {
        self.first.clear();
        self.first.resize(count + 1, 0);
        for (place, _) in numbers.clone() {
            self.first[place + 1] += 1;
        }
        for k in 0..count {
            self.first[k + 1] += self.first[k];
        }
        self.all.clear();
        self.all.resize(self.first[count] as usize, 0);
        for (place, number) in numbers {
            let next = &mut self.first[place];
            self.all[*next as usize] = number;
            *next += 1;
        }
        // Each first has moved to that of the next list.
        self.first.rotate_right(1);
        self.first[0] = 0;
    }

    /// A list.
    pub fn of(&self, place: usize) -> &[u32] {
        &self.all[self.first[place] as usize..self.first[place + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_has_its_numbers_in_order_and_none_of_the_lists_before() {
        let mut lists = Lists::default();
        for numbers in [vec![(2, 7), (0, 1), (2, 5), (3, 9), (0, 4)], vec![(1, 3)]] {
            lists.make(4, numbers.iter().copied());
            for place in 0..4 {
                let wanted = numbers.iter().filter(|n| n.0 == place).map(|n| n.1);
                assert!(lists.of(place).iter().copied().eq(wanted), "{place}");
            }
        }
    }
}
