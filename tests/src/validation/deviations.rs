//! What is outside its bounds, and why.

use super::Reckoning;

/// Figures that are outside their bounds.
#[derive(Clone, Copy, Debug)]
pub struct Deviation {
    /// [`Reckoning::subject`].
    pub subject: &'static str,
    /// [`Reckoning::figure`].
    pub figure: &'static str,
    /// [`Reckoning::at`] of each.
    pub at: &'static [&'static str],
    /// Why.
    pub cause: &'static str,
}

impl Deviation {
    /// Whether it lists a figure.
    #[must_use]
    pub fn lists(&self, found: &Reckoning) -> bool {
        let same = self.subject == found.subject && self.figure == found.figure;
        same && self.at.contains(&found.at.as_str())
    }
}

/// Every known one.
pub const DEVIATIONS: [Deviation; 0] = [];

/// What is outside its bound and not known to be.
#[must_use]
pub fn unlisted(found: &[Reckoning]) -> Vec<String> {
    let known = |it: &&Reckoning| !DEVIATIONS.iter().any(|deviation| deviation.lists(it));
    let out = found.iter().filter(|it| !it.holds());
    let message = |it: &Reckoning| {
        let Reckoning { subject, figure, at, ours, theirs, bound, .. } = it;
        let apart = it.difference();
        format!("{subject}, {figure}, {at}: {ours:.4}, not {theirs:.4}: {apart:.2} apart, bound {bound}")
    };
    out.filter(known).map(message).collect()
}

/// What is known to be outside and is not.
#[must_use]
pub fn outdated(found: &[Reckoning]) -> Vec<String> {
    let outside = |deviation: &Deviation, at: &str| {
        let mut listed = found.iter().filter(|it| deviation.lists(it) && it.at == at);
        listed.any(|it| !it.holds())
    };
    let of = |deviation: &'static Deviation| {
        let within = deviation.at.iter().filter(move |at| !outside(deviation, at));
        within.map(|at| format!("{}, {}, {at}: no longer outside", deviation.subject, deviation.figure))
    };
    DEVIATIONS.iter().flat_map(of).collect()
}
