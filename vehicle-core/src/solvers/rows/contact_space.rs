//! Contact space: speeds and impulses along the rows of four wheels, and their coupling.
//!
//! ```text
//! s = J·v − s_ground                  speeds along rows; a row of J: (n, p × n)
//! v ← v + M⁻¹·Jᵀ·Δλ                   impulses λ on the chassis
//! s ← s + A·Δλ,  A = J·M⁻¹·Jᵀ         the same, seen from the rows
//! ```
//!
//! A row's diagonal element of A is its inverse effective mass. Rows that are swept together form a
//! [`RowBlock`], in which each impulse changes all speeds at once (Gauss–Seidel). Blocks are coupled by the
//! chassis' velocity, which they read before and update after their sweep.

use glam::{Mat3, Vec3, Vec4};

use crate::base::lanes::{self, LANES, V3x4, W4};
use crate::base::velocity::Velocity;

/// Jacobian of one row at each of four wheels (vehicle frame).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobian {
    /// Direction of an impulse on the chassis, unit; zero where there is no row.
    pub direction: V3x4,
    /// Angular part, point × direction (`m`).
    arm: V3x4,
    /// Angular part of M⁻¹Jᵀ, inverse inertia × arm (`rad/s` per `N·s`).
    angular_response: V3x4,
}

impl Jacobian {
    /// Rows without effect.
    const NONE: Self = Self {
        direction: V3x4::ZERO,
        arm: V3x4::ZERO,
        angular_response: V3x4::ZERO,
    };

    /// Rows along `direction` through `point`.
    #[inline]
    #[must_use]
    pub fn new(direction: V3x4, point: V3x4, inverse_inertia: &Mat3) -> Self {
        let arm = point.cross(direction);
        Self {
            direction,
            arm,
            angular_response: arm.rotated(inverse_inertia),
        }
    }

    /// The same where the axes are principal, of these inverse moments of inertia.
    #[inline]
    #[must_use]
    pub fn principal(direction: V3x4, point: V3x4, inverse_inertia: Vec3) -> Self {
        let arm = point.cross(direction);
        let by = V3x4::splat(inverse_inertia);
        Self {
            direction,
            arm,
            angular_response: V3x4 {
                x: arm.x * by.x,
                y: arm.y * by.y,
                z: arm.z * by.z,
            },
        }
    }

    /// Speeds along the rows, J·v (`m/s`).
    #[inline]
    #[must_use]
    pub fn rates(&self, velocity: &Velocity) -> W4 {
        let linear = self.direction.dot(V3x4::splat(velocity.linear));
        linear + self.arm.dot(V3x4::splat(velocity.angular))
    }
}

/// Order in which a sweep solves the lanes. After one sweep, the rows solved last hold exactly and the first do not: of
/// two wheels that face each other, an axle's, the one that carries more is last. A drive and its mirror image then stay
/// together, whichever side has the first number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order([u8; LANES]);

impl Default for Order {
    /// By their numbers.
    fn default() -> Self {
        Self([0, 1, 2, 3])
    }
}

impl Order {
    /// That of wheels with these `mates`, each other's or their own, and normal impulses (`N·s`).
    #[inline]
    #[must_use]
    pub fn heaviest_last(mates: &[u8; LANES], normal: W4) -> Self {
        let normal = normal.to_array();
        let mut order = Self::default();
        for lane in 0..LANES {
            let mate = usize::from(mates[lane] & 3);
            if lane < mate && normal[lane] > normal[mate] {
                order.0.swap(lane, mate);
            }
        }
        order
    }

    /// The lanes in this order.
    #[inline]
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        (0..LANES).map(move |place| usize::from(self.0[place] & 3))
    }
}

/// `KINDS` rows at each of four wheels: Jacobian, speeds, impulses and their coupling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowBlock<const KINDS: usize> {
    /// By kind of row.
    pub jacobian: [Jacobian; KINDS],
    /// Columns of A, change of the block's speeds per impulse in a row: `response[kind][lane]` (`1/kg`).
    response: [[[W4; KINDS]; LANES]; KINDS],
    /// Present speeds relative to the ground (`m/s`).
    pub rates: [[f32; LANES]; KINDS],
    /// Accumulated impulses λ of this substep (`N·s`).
    pub impulses: [[f32; LANES]; KINDS],
    /// Impulses already applied to the chassis' velocity (`N·s`).
    applied: [W4; KINDS],
    /// Speed of the ground along the rows (`m/s`).
    ground: [W4; KINDS],
    /// 1/mass (`1/kg`) of the chassis in each direction, and 1 for what is an angular velocity already.
    inverse_mass: Vec4,
}

impl<const KINDS: usize> Default for RowBlock<KINDS> {
    #[inline]
    fn default() -> Self {
        // Of a constant, zeros are written in place.
        Self::NONE
    }
}

impl<const KINDS: usize> RowBlock<KINDS> {
    /// Rows without effect.
    const NONE: Self = Self {
        jacobian: [Jacobian::NONE; KINDS],
        response: [[[W4::ZERO; KINDS]; LANES]; KINDS],
        rates: [[0.0; LANES]; KINDS],
        impulses: [[0.0; LANES]; KINDS],
        applied: [W4::ZERO; KINDS],
        ground: [W4::ZERO; KINDS],
        inverse_mass: Vec4::ZERO,
    };

    /// Sets up A = J·M⁻¹·Jᵀ for the Jacobian in place. The impulses start at `warm_start` (`N·s`), which
    /// [`RowBlock::apply_impulses`] then applies.
    #[inline]
    pub fn prepare(&mut self, ground: [W4; KINDS], warm_start: [W4; KINDS], inverse_mass: f32) {
        self.ground = ground;
        self.inverse_mass = Vec3::splat(inverse_mass).extend(1.0);
        self.applied = [W4::ZERO; KINDS];
        self.impulses = warm_start.map(W4::to_array);
        for kind in 0..KINDS {
            let direction = self.jacobian[kind].direction * W4::splat(inverse_mass);
            for lane in 0..LANES {
                let direction = V3x4::splat(direction.lane(lane));
                let angular_response = V3x4::splat(self.jacobian[kind].angular_response.lane(lane));
                for (other, row) in self.jacobian.iter().enumerate() {
                    if other >= kind {
                        self.response[kind][lane][other] =
                            row.direction.dot(direction) + row.arm.dot(angular_response);
                    }
                }
            }
            // A is symmetric. (Loops of a fixed length are unrolled.)
            for other in 0..KINDS {
                if other < kind {
                    let columns = self.response[other].map(|responses| responses[kind]);
                    let rows = lanes::transposed(columns);
                    for (responses, row) in self.response[kind].iter_mut().zip(rows) {
                        responses[other] = row;
                    }
                }
            }
        }
    }

    /// Inverse effective masses of a kind of row, the diagonal of A (`1/kg`).
    #[inline]
    #[must_use]
    pub fn inverse_effective_mass(&self, kind: usize) -> W4 {
        W4::from_fn(|lane| self.response[kind][lane][kind].lane(lane))
    }

    /// Present speeds of a kind of row (`m/s`).
    #[inline]
    #[must_use]
    pub fn rates_of(&self, kind: usize) -> W4 {
        W4::from_array(self.rates[kind])
    }

    /// Impulses of a kind of row (`N·s`).
    #[inline]
    #[must_use]
    pub fn impulses_of(&self, kind: usize) -> W4 {
        W4::from_array(self.impulses[kind])
    }

    /// Speeds along the rows relative to the ground, `J·v − s_ground` (`m/s`).
    #[inline]
    #[must_use]
    pub fn rates_at(&self, velocity: &Velocity) -> [W4; KINDS] {
        core::array::from_fn(|kind| self.jacobian[kind].rates(velocity) - self.ground[kind])
    }

    /// Updates the rows' speeds from the chassis' velocity.
    #[inline]
    pub fn read_velocity(&mut self, velocity: &Velocity) {
        self.rates = self.rates_at(velocity).map(W4::to_array);
    }

    /// Applies to the chassis what its velocity lacks of the impulses: v ← v + M⁻¹·Jᵀ·Δλ.
    #[inline]
    pub fn apply_impulses(&mut self, velocity: &mut Velocity) {
        let parts: [[V3x4; 2]; KINDS] = core::array::from_fn(|kind| {
            let impulses = self.impulses_of(kind);
            let new = impulses - self.applied[kind];
            self.applied[kind] = impulses;
            let Jacobian {
                direction,
                angular_response,
                ..
            } = &self.jacobian[kind];
            [*direction * new, *angular_response * new]
        });
        // Without a first sum with zero.
        let sum = |[a, b]: [V3x4; 2], [c, d]: [V3x4; 2]| [a + c, b + d];
        let [linear, angular] = parts.into_iter().reduce(sum).unwrap_or_default();
        // By fours, as a velocity's numbers lie in memory.
        let first = lanes::sums([linear.x, linear.y, linear.z, angular.x]) * self.inverse_mass;
        let rest = lanes::sums([angular.y, angular.z, W4::ZERO, W4::ZERO]);
        velocity.linear += first.truncate();
        velocity.angular += Vec3::new(first.w, rest.x, rest.y);
    }

    /// Sets the impulse of a row and updates the block's speeds: s ← s + A·Δλ.
    #[inline]
    pub fn set(&mut self, kind: usize, lane: usize, impulse: f32) {
        let change = W4::splat(impulse - self.impulses[kind][lane]);
        self.impulses[kind][lane] = impulse;
        let responses = &self.response[kind][lane];
        for (rates, response) in self.rates.iter_mut().zip(responses) {
            *rates = (W4::from_array(*rates) + *response * change).to_array();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::math;
    use glam::{DMat3, DVec3, Quat};
    use proptest::prelude::*;

    /// A chassis with rows forward and to the left at four wheels.
    #[derive(Clone, Debug)]
    struct Case {
        directions: [[Vec3; LANES]; 2],
        points: [Vec3; LANES],
        inverse_mass: f32,
        inverse_inertia: Mat3,
    }

    fn vector(size: f32) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-size..size).prop_map(Vec3::from)
    }

    prop_compose! {
        fn cases()(
            directions in prop::array::uniform2(prop::array::uniform4(vector(1.0))),
            points in prop::array::uniform4(vector(3.0)),
            mass in 100f32..10_000.0,
            principal in prop::array::uniform3(100f32..10_000.0),
            axes in prop::array::uniform4(-1f32..1.0),
        ) -> Case {
            let [x, y, z, w] = axes;
            let turned = math::matrix(math::unit(Quat::from_xyzw(x, y, z, w)));
            let principal = Mat3::from_diagonal(Vec3::from(principal.map(|i| 1.0 / i)));
            Case {
                directions: directions.map(|kind| kind.map(math::unit_or_zero)),
                points,
                inverse_mass: 1.0 / mass,
                inverse_inertia: turned * principal * turned.transpose(),
            }
        }
    }

    impl Case {
        fn block(&self, ground: [W4; 2], impulses: [W4; 2]) -> RowBlock<2> {
            let points = V3x4::from_array(self.points);
            let jacobian = self
                .directions
                .map(|d| Jacobian::new(V3x4::from_array(d), points, &self.inverse_inertia));
            let mut block = RowBlock {
                jacobian,
                ..RowBlock::default()
            };
            block.prepare(ground, impulses, self.inverse_mass);
            block
        }

        /// Row of J: direction and arm.
        fn row(&self, kind: usize, lane: usize) -> (DVec3, DVec3) {
            let direction = self.directions[kind][lane].as_dvec3();
            (direction, self.points[lane].as_dvec3().cross(direction))
        }

        fn inertia(&self) -> DMat3 {
            self.inverse_inertia.as_dmat3()
        }

        /// M⁻¹ Jᵀ p.
        fn change(&self, impulses: &[[f32; LANES]; 2]) -> (DVec3, DVec3) {
            let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
            for (kind, impulses) in impulses.iter().enumerate() {
                for (lane, impulse) in impulses.iter().enumerate() {
                    let (direction, arm) = self.row(kind, lane);
                    linear += direction * f64::from(*impulse) * f64::from(self.inverse_mass);
                    angular += self.inertia() * arm * f64::from(*impulse);
                }
            }
            (linear, angular)
        }

        /// Largest element of A for this chassis (`1/kg`), which bounds the rounding errors.
        fn scale(&self) -> f32 {
            let arm = self.points.iter().map(|p| p.length()).fold(0.0, f32::max);
            let turning = self.inverse_inertia.to_cols_array();
            let turning = turning.iter().fold(0.0, |a: f32, b| a.max(b.abs()));
            self.inverse_mass + 3.0 * turning * arm * arm
        }
    }

    /// Rounding of the dozen operations behind an element of A, each half of 1.2e-7.
    const ROUNDING: f32 = 2e-6;

    proptest! {
        #[test]
        fn responses_are_those_of_mass_and_inertia(case in cases()) {
            for (kind, lane) in (0..2).flat_map(|kind| (0..LANES).map(move |lane| (kind, lane))) {
                let mut block = case.block([W4::ZERO; 2], [W4::ZERO; 2]);
                block.set(kind, lane, 1.0);
                let (from, arm) = case.row(kind, lane);
                let turned = case.inertia() * arm;
                for (other, at) in (0..2).flat_map(|kind| (0..LANES).map(move |lane| (kind, lane))) {
                    let (direction, arm) = case.row(other, at);
                    let expected =
                        direction.dot(from) * f64::from(case.inverse_mass) + arm.dot(turned);
                    let off = f64::from(block.rates[other][at]) - expected;
                    prop_assert!(off.abs() < f64::from(ROUNDING * case.scale()), "{off}");
                }
                let own = block.inverse_effective_mass(kind).lane(lane);
                prop_assert_eq!(own, block.rates[kind][lane]);
                prop_assert!(own >= 0.0);
            }
        }

        #[test]
        fn the_response_matrix_is_symmetric(case in cases()) {
            let mut response = [[0.0; 2 * LANES]; 2 * LANES];
            for (n, column) in response.iter_mut().enumerate() {
                let mut block = case.block([W4::ZERO; 2], [W4::ZERO; 2]);
                block.set(n / LANES, n % LANES, 1.0);
                *column = core::array::from_fn(|m| block.rates[m / LANES][m % LANES]);
            }
            for (n, column) in response.iter().enumerate() {
                for (m, there) in column.iter().enumerate() {
                    let off = there - response[m][n];
                    prop_assert!(off.abs() < ROUNDING * case.scale(), "{n} {m} {off}");
                }
            }
        }

        #[test]
        fn the_chassis_receives_all_impulses_once(
            case in cases(),
            linear in vector(30.0), angular in vector(5.0),
            ground in prop::array::uniform2(prop::array::uniform4(-3f32..3.0)),
            warm in prop::array::uniform2(prop::array::uniform4(-500f32..500.0)),
            sets in prop::collection::vec((0..2usize, 0..LANES, -500f32..500.0), 0..20),
        ) {
            let start = Velocity { linear, angular };
            let mut block = case.block(ground.map(W4::from_array), warm.map(W4::from_array));
            let mut velocity = start;
            block.apply_impulses(&mut velocity);
            block.read_velocity(&velocity);
            for (kind, lane, impulse) in sets {
                block.set(kind, lane, impulse);
            }
            let rates = block.rates;
            block.apply_impulses(&mut velocity);
            let (by, turned) = case.change(&block.impulses);
            // At most 28 impulses of 500 N·s, some replaced.
            let most = 28.0 * 500.0;
            let off = (velocity.linear - linear).as_dvec3() - by;
            let bound = ROUNDING * (40.0 + most * case.inverse_mass);
            prop_assert!(off.length() < f64::from(bound), "{off}");
            let off = (velocity.angular - angular).as_dvec3() - turned;
            let bound = ROUNDING * (10.0 + most * case.scale());
            prop_assert!(off.length() < f64::from(bound), "{off}");
            // The block's speeds agree with the chassis.
            let seen = block.rates_at(&velocity).map(W4::to_array);
            let bound = ROUNDING * (100.0 + 4.0 * most * case.scale());
            for (now, then) in seen.as_flattened().iter().zip(rates.as_flattened()) {
                prop_assert!((now - then).abs() < bound, "{now} {then}");
            }
            // Nothing is applied twice.
            let once = velocity;
            block.apply_impulses(&mut velocity);
            prop_assert_eq!(once, velocity);
        }

        #[test]
        fn rates_are_speeds_of_points_relative_to_the_ground(
            case in cases(), linear in vector(30.0), angular in vector(5.0),
            ground in prop::array::uniform2(prop::array::uniform4(-3f32..3.0)),
        ) {
            let mut block = case.block(ground.map(W4::from_array), [W4::ZERO; 2]);
            block.read_velocity(&Velocity { linear, angular });
            for (kind, speeds) in ground.iter().enumerate() {
                for (lane, speed) in speeds.iter().enumerate() {
                    let arm = case.points[lane].as_dvec3();
                    let point = linear.as_dvec3() + angular.as_dvec3().cross(arm);
                    let rate = case.directions[kind][lane].as_dvec3().dot(point);
                    let off = f64::from(block.rates_of(kind).lane(lane) + speed) - rate;
                    prop_assert!(off.abs() < f64::from(ROUNDING) * 100.0, "{off}");
                }
            }
        }
    }

    #[test]
    fn zero_rows_have_no_effect() {
        let points = V3x4::splat(Vec3::new(1.0, 2.0, -0.5));
        let mut block = RowBlock::<1>::default();
        let none = Jacobian::new(V3x4::ZERO, points, &Mat3::IDENTITY);
        block.jacobian = [none];
        block.prepare([W4::ZERO], [W4::splat(7.0)], 0.5);
        let start = Velocity {
            linear: Vec3::new(1.0, 2.0, 3.0),
            angular: Vec3::X,
        };
        let mut velocity = start;
        block.apply_impulses(&mut velocity);
        block.read_velocity(&velocity);
        assert_eq!(velocity, start);
        assert_eq!(block.rates_of(0), W4::ZERO);
        assert_eq!(block.inverse_effective_mass(0), W4::ZERO);
    }
}
