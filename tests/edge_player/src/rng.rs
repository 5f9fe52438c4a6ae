//! Random numbers that are the same on every machine and in every release.

/// `SplitMix64` (Steele, Lea, Flood 2014): one addition and two multiplications for a number, and
/// no bad seeds. It is kept here so that no release of a library changes the corpus.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator of this seed.
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The generator of the `index`th trace of a seed, so that each trace can be drawn alone.
    pub fn of_trace(seed: u64, index: u64) -> Rng {
        Rng::new(seed ^ Rng::new(index).draw())
    }

    /// Any 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number from `least` to `most`, both included, all with nearly the same probability. It is
    /// `least` if `least` is more than `most`.
    ///
    /// Small numbers are a little more probable, because the number is the remainder of a division.
    /// The difference is less than one in 2^20 for all the spans used here.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        match most.saturating_sub(least).checked_add(1) {
            Some(count) => least + self.draw() % count,
            None => self.draw(),
        }
    }

    /// A number from `least` to `most`, both included. Each range from one power of two to the next
    /// has the same probability: contacts bounce for 1 µs as well as for 10 ms, and evenly drawn
    /// spans would nearly all be long.
    pub fn span(&mut self, least: u64, most: u64) -> u64 {
        let least = least.max(1);
        let most = most.max(least);
        let doubling = self.between(u64::from(least.ilog2()), u64::from(most.ilog2()));
        let low = least.max(1 << doubling);
        let high = most.min((1 << doubling) + ((1 << doubling) - 1));
        self.between(low, high)
    }

    /// True with the probability 1 / `count`.
    pub fn one_in(&mut self, count: u64) -> bool {
        self.between(1, count) == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_the_published_numbers() {
        // The expected numbers are those of the reference implementation for the seed 1234567.
        let mut rng = Rng::new(1_234_567);
        let drawn = [rng.draw(), rng.draw(), rng.draw()];
        assert_eq!(
            drawn,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn stays_within_its_limits_and_reaches_them() {
        let mut rng = Rng::new(1);
        let mut seen = [false; 11];
        for _ in 0..10_000 {
            let drawn = rng.span(3, 10);
            seen[usize::try_from(drawn).unwrap()] = true;
            assert!((3..=10).contains(&drawn));
            assert_eq!(rng.span(7, 7), 7);
        }
        assert_eq!(seen.iter().filter(|seen| **seen).count(), 8);
        assert_eq!(rng.between(9, 3), 9);
    }
}
