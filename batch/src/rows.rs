//! What comes of a step: observations, rewards and flags of all cars.

use crate::error::{BatchError, check_length};

/// Where the results of a step are written, one row or element per car.
#[derive(Debug)]
pub struct Rows<'a> {
    /// Observations, a row of [`Batch::columns`](crate::Batch::columns) per car.
    pub observations: &'a mut [f32],
    /// Sums of the terms.
    pub rewards: &'a mut [f32],
    /// Weighted terms of the rewards, a row of [`Batch::terms`](crate::Batch::terms) per car.
    pub terms: &'a mut [f32],
    /// Whether the task ended the episode: its goal was reached, or a limit was passed.
    pub ended: &'a mut [bool],
    /// Whether the episode was cut: its time is over, or the car was refused.
    pub cut: &'a mut [bool],
    /// Whether a step of the car was refused, for the reason in [`Batch::refusals`](crate::Batch::refusals).
    pub refused: &'a mut [bool],
}

impl Rows<'_> {
    /// Checks that all lists are those of `count` cars.
    pub(crate) fn check(
        &self,
        count: usize,
        columns: usize,
        terms: usize,
    ) -> Result<(), BatchError> {
        check_length("out.observations", self.observations.len(), count * columns)?;
        check_length("out.rewards", self.rewards.len(), count)?;
        check_length("out.terms", self.terms.len(), count * terms)?;
        check_length("out.ended", self.ended.len(), count)?;
        check_length("out.cut", self.cut.len(), count)?;
        check_length("out.refused", self.refused.len(), count)
    }
}

impl<'a> Rows<'a> {
    /// Takes the rows of the first `count` cars, or of those that are left.
    pub(crate) fn take(&mut self, count: usize, columns: usize, terms: usize) -> Self {
        Self {
            observations: first(&mut self.observations, count * columns),
            rewards: first(&mut self.rewards, count),
            terms: first(&mut self.terms, count * terms),
            ended: first(&mut self.ended, count),
            cut: first(&mut self.cut, count),
            refused: first(&mut self.refused, count),
        }
    }
}

fn first<'a, T>(left: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let all = core::mem::take(left);
    let (part, rest) = all.split_at_mut(count.min(all.len()));
    *left = rest;
    part
}

/// Results of a step, as [`Rows`] has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// See [`Rows::observations`].
    pub observations: Vec<f32>,
    /// See [`Rows::rewards`].
    pub rewards: Vec<f32>,
    /// See [`Rows::terms`].
    pub terms: Vec<f32>,
    /// See [`Rows::ended`].
    pub ended: Vec<bool>,
    /// See [`Rows::cut`].
    pub cut: Vec<bool>,
    /// See [`Rows::refused`].
    pub refused: Vec<bool>,
}

impl Steps {
    /// Gives all lists their lengths.
    pub(crate) fn resize(&mut self, count: usize, columns: usize, terms: usize) {
        self.observations.resize(count * columns, 0.0);
        self.rewards.resize(count, 0.0);
        self.terms.resize(count * terms, 0.0);
        self.ended.resize(count, false);
        self.cut.resize(count, false);
        self.refused.resize(count, false);
    }

    /// These results, to be written.
    pub fn rows(&mut self) -> Rows<'_> {
        Rows {
            observations: &mut self.observations,
            rewards: &mut self.rewards,
            terms: &mut self.terms,
            ended: &mut self.ended,
            cut: &mut self.cut,
            refused: &mut self.refused,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_handed_out_in_order_without_a_rest() {
        let mut steps = Steps::default();
        steps.resize(5, 2, 0);
        let mut rows = steps.rows();
        rows.check(5, 2, 0).unwrap();
        let parts = [0, 1, 2].map(|_| rows.take(2, 2, 0));
        assert_eq!(
            parts.map(|part| (part.observations.len(), part.cut.len())),
            [(4, 2), (4, 2), (2, 1)]
        );
        let error = steps.rows().check(4, 2, 0).unwrap_err().to_string();
        assert_eq!(error, "out.observations = 10: must be 8 values");
    }
}
