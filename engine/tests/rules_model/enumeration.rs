//! Every short sequence of inputs, from several situations and under every shipped profile, is
//! given to the game and to the model.
//!
//! `compare` checks that a refused input changes nothing. So no sequence continues after a refused
//! input: the same sequence without that input is tried as well.

use crate::compare::{Compared, Difference};
use crate::inputs::{controls, inputs, profiles, situations};
use crate::model::Input;
use std::time::Instant as WallInstant;

/// The number of inputs of the longest sequences, unless `CLOCK_RULES_INPUTS` sets another.
const INPUTS: u32 = 2;

/// The sequences from one situation.
struct Sequences {
    inputs: Vec<Input>,
    /// The inputs so far, for the report of a difference.
    given: Vec<Input>,
    sequences: u64,
    compared: u64,
}

impl Sequences {
    fn give(&mut self, compared: &mut Compared, input: Input) -> Result<bool, Difference> {
        self.given.push(input);
        self.compared += 1;
        let accepted = compared.step(input)?;
        self.given.pop();
        Ok(accepted)
    }

    /// Gives all continuations with this number of inputs.
    fn continue_with(&mut self, compared: &Compared, inputs: u32) -> Result<(), Difference> {
        if inputs == 0 {
            self.sequences += 1;
            return Ok(());
        }
        if inputs == 1 {
            compared.check_the_way_on()?;
        }
        for index in 0..self.inputs.len() {
            let input = self.inputs[index];
            let mut next = compared.clone();
            if self.give(&mut next, input)? {
                self.given.push(input);
                self.continue_with(&next, inputs - 1)?;
                self.given.pop();
            }
        }
        Ok(())
    }

    fn all(
        &mut self,
        mut compared: Compared,
        before: &[Input],
        inputs: u32,
    ) -> Result<(), Difference> {
        for input in before {
            self.give(&mut compared, *input)?;
            self.given.push(*input);
        }
        // Short sequences first, so that a difference is reported with the fewest inputs.
        for inputs in 1..=inputs {
            self.sequences = 0;
            self.continue_with(&compared, inputs)?;
        }
        Ok(())
    }
}

#[test]
fn every_short_sequence() {
    let wanted = std::env::var("CLOCK_RULES_INPUTS");
    let wanted = wanted.map_or(INPUTS, |text| text.parse().expect("a number of inputs"));
    let (mut all_sequences, mut all_compared) = (0, 0);
    for (name, profile) in profiles() {
        let started = WallInstant::now();
        let (mut sequences, mut compared) = (0, 0);
        for (control, (situation, before)) in controls()
            .iter()
            .flat_map(|control| situations().into_iter().map(move |s| (control, s)))
        {
            let Some(start) = Compared::new(profile, control.1) else {
                continue;
            };
            let mut all =
                Sequences { inputs: inputs(), given: Vec::new(), sequences: 0, compared: 0 };
            if let Err(difference) = all.all(start, &before, wanted) {
                panic!("{name}, {}, {situation}: {difference}\n{:#?}", control.0, all.given);
            }
            (sequences, compared) = (sequences + all.sequences, compared + all.compared);
        }
        println!(
            "{name}: {sequences} sequences of {wanted} inputs, {compared} states compared, {:.1} s",
            started.elapsed().as_secs_f64()
        );
        (all_sequences, all_compared) = (all_sequences + sequences, all_compared + compared);
    }
    println!("{all_sequences} sequences of {wanted} inputs, {all_compared} states compared");
}
