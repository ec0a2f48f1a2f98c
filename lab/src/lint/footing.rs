//! The area between the wheels, on which a car stands.

use super::subject::LintedCar;

impl LintedCar<'_> {
    /// Distances (`m`) from the center of mass to the right and the left edge of the area between the wheels: half the
    /// track of an ordinary car. Of a car with three wheels, where the edge beside the center of mass is. `None` if it is
    /// ahead of, behind or beside all wheels.
    pub(super) fn footing(&self) -> Option<[f32; 2]> {
        let (_, center) = self.params.chassis.on_wheels();
        let points: Vec<[f32; 2]> = self
            .wheels()
            .map(|(_, wheel)| [wheel.position.x, wheel.position.y])
            .collect();
        let [right, left] = slice(&points, center.x)?;
        let reach = [center.y - right, left - center.y];
        reach.iter().all(|side| *side > 0.0).then_some(reach)
    }

    /// Height of the center of mass (`m`) over the point where lateral forces act on the chassis: their lever arm as they tip the
    /// car; the mean of all wheels.
    pub(super) fn tipping_height(&self) -> f32 {
        let center = self.params.chassis.center_of_mass.z;
        let heights = self.wheels().map(|(_, wheel)| {
            let ground = wheel.position.z - wheel.radius;
            let acts = match wheel.compliance.links {
                Some(_) => ground,
                None => wheel.tire.application_point.z,
            };
            (center - acts) * wheel.suspension.roll_influence
        });
        let count = self.wheels().count() as f32;
        heights.sum::<f32>() / count
    }
}

/// Least and greatest `y` of the convex hull of some points at `x`; `None` outside.
fn slice(points: &[[f32; 2]], x: f32) -> Option<[f32; 2]> {
    // An edge of a hull runs between two of its points.
    let crossings = points.iter().flat_map(|a| {
        points.iter().filter_map(move |b| {
            let spans = a[0] <= x && x <= b[0];
            let share = if b[0] > a[0] {
                (x - a[0]) / (b[0] - a[0])
            } else {
                0.0
            };
            spans.then_some(a[1] + share * (b[1] - a[1]))
        })
    });
    let [low, high] = super::subject::extent(crossings);
    (low <= high).then_some([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The edges between two wheels ahead and one behind run together.
    #[test]
    fn a_slice_ends_at_the_edges() {
        let car = [[1.0, 0.8], [1.0, -0.8], [-1.0, 0.7], [-1.0, -0.7]];
        assert_eq!(slice(&car, 0.0), Some([-0.75, 0.75]));
        assert_eq!(slice(&car, 1.0), Some([-0.8, 0.8]));
        assert_eq!(slice(&car, 1.01), None);
        let tadpole = [[1.0, 0.6], [1.0, -0.6], [-1.0, 0.0]];
        assert_eq!(slice(&tadpole, 0.0), Some([-0.3, 0.3]));
        assert_eq!(slice(&[], 0.0), None);
    }
}
