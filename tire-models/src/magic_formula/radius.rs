//! Radii and deflection (\[P\] 1–8).

use crate::real::{Mask, Real};

use super::limits::{GREATEST_SPEED, bounded};
use super::load::Basics;
use super::root;
use super::settings::{Variant, Version};
use super::shape::nonzero;
use super::{LoadContext, MagicFormula, Planar, Slip};

/// Rolling state of a wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rolling<T> {
    /// Effective rolling radius Re (`m`): Vx = Re·Ω in free rolling.
    pub effective_radius: T,
    /// Free radius of the spinning tire RΩ (`m`).
    pub free_radius: T,
    /// Spin of the wheel Ω (`rad/s`).
    pub spin: T,
}

/// Deflection of a tire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deflection<T> {
    /// Vertical deflection ρ (`m`).
    pub deflection: T,
    /// Loaded radius Rl (`m`): height of the wheel's center over the ground, along the wheel's plane.
    pub loaded_radius: T,
}

/// Fixed-point iterations sufficient at any road speed.
const MOST_ITERATIONS: usize = 20;
/// Change of the effective radius at which the iteration stops (`m`).
const ENOUGH: f64 = 1e-9;

impl<T: Real> MagicFormula<T> {
    /// Rolling state of the wheel at a slip: with its given spin, or from slip ratio and effective radius, Ω = (1 + κ)·Vx/Re.
    #[must_use]
    pub fn rolling(&self, at: &LoadContext<T>, slip: &Slip<T>) -> Rolling<T> {
        let vx = bounded(slip.speed, GREATEST_SPEED);
        self.rolling_at(
            &at.basics,
            vx,
            self.finite_slip_ratio(slip.ratio),
            slip.spin,
        )
    }

    pub(super) fn rolling_at(&self, b: &Basics<T>, vx: T, kappa: T, spin: Option<T>) -> Rolling<T> {
        let c = &self.c;
        let load = b.fz_given / c.FNOMIN;
        let pressed = c.FNOMIN / self.vertical_stiffness(b)
            * (c.DREFF * (c.BREFF * load).atan() + c.FREFF * load);
        let least = T::of(0.1) * c.UNLOADED_RADIUS;
        let at_spin = |spin: T| {
            let free_radius = self.free_radius(spin);
            Rolling {
                effective_radius: (free_radius - pressed).max(least),
                free_radius,
                spin,
            }
        };
        if let Some(spin) = spin {
            return at_spin(bounded(spin, GREATEST_SPEED / 0.1));
        }
        let surface = (T::one() + kappa) * vx;
        let first = T::of(0.965) * c.UNLOADED_RADIUS;
        let mut found = at_spin(surface / first);
        let mut last = first;
        for _ in 1..MOST_ITERATIONS {
            let change = (found.effective_radius - last).abs();
            let open = change.gt(T::of(ENOUGH));
            if !open.any() {
                break;
            }
            last = found.effective_radius;
            let next = at_spin(surface / found.effective_radius);
            found = Rolling {
                effective_radius: T::select(open, next.effective_radius, found.effective_radius),
                free_radius: T::select(open, next.free_radius, found.free_radius),
                spin: T::select(open, next.spin, found.spin),
            };
        }
        found
    }

    /// Free radius of the spinning tire RΩ (`m`) (1); at most doubled.
    fn free_radius(&self, spin: T) -> T {
        let c = &self.c;
        let speed = spin * c.UNLOADED_RADIUS / c.LONGVL;
        let growth = c.Q_RE0 + c.Q_V1 * speed * speed;
        c.UNLOADED_RADIUS * growth.clamp(T::of(0.1), T::of(2.0))
    }

    /// Vertical stiffness by pressure Cz (`N/m`) (5).
    pub(super) fn vertical_stiffness(&self, b: &Basics<T>) -> T {
        let share = T::one() + self.c.PFZ1 * b.dpi;
        self.c.VERTICAL_STIFFNESS * share.max(T::of(1e-3))
    }

    /// Deflection and loaded radius under forces from [`MagicFormula::planar`] at the same load.
    #[must_use]
    pub fn deflection(
        &self,
        at: &LoadContext<T>,
        planar: &Planar<T>,
        rolling: &Rolling<T>,
    ) -> Deflection<T> {
        match self.version {
            Version::V52 | Version::V61 | Version::Motorcycle => {
                self.deflection_61(at, planar, rolling)
            }
            Version::V62 => self.deflection_62(at, planar, rolling),
        }
    }

    /// Additional vertical force where the rim bottoms (`N`), ≥ 0: `BOTTOM_STIFF` times the
    /// distance by which the loaded radius (`m`) is less than `RIM_RADIUS` + `BOTTOM_OFFST`. Loads
    /// and [`MagicFormula::deflection`] do not include it. Vehicle wheels, which have no vertical
    /// tire spring, do not use it; it is for models that have one.
    #[must_use]
    pub fn bottoming_force(&self, loaded_radius: T) -> T {
        let c = &self.c;
        let rim = c.RIM_RADIUS + c.BOTTOM_OFFST;
        c.BOTTOM_STIFF * (rim - loaded_radius).max(T::zero())
    }

    /// `Q_FZ1` (4).
    fn linear_stiffness(&self) -> T {
        let c = &self.c;
        let stiffness = c.VERTICAL_STIFFNESS * c.UNLOADED_RADIUS / c.FNOMIN;
        let square = stiffness * stiffness - T::of(4.0) * c.Q_FZ2;
        square.max(T::zero()).sqrt()
    }

    /// Factor on the load from spin and longitudinal force, without pressure (3).
    fn stiffening(&self, planar: &Planar<T>, rolling: &Rolling<T>) -> T {
        let c = &self.c;
        let along = c.Q_FCX * planar.longitudinal / c.FNOMIN;
        T::one() + c.Q_V2 * (c.UNLOADED_RADIUS / c.LONGVL) * rolling.spin.abs() - along * along
    }

    /// 5.2 and 6.1: (3) solved for the deflection. The root is written so that `Q_FZ2` = 0 is
    /// allowed.
    fn deflection_61(
        &self,
        at: &LoadContext<T>,
        planar: &Planar<T>,
        rolling: &Rolling<T>,
    ) -> Deflection<T> {
        let (c, b) = (&self.c, &at.basics);
        let across = c.Q_FCY * planar.lateral / c.FNOMIN;
        let factor = self.stiffening(planar, rolling) - across * across;
        let factor = match self.settings.variant {
            // MFeval finds no deflection where the forces leave no stiffness.
            Variant::MfevalCompat => nonzero(factor),
            Variant::MfTyre | Variant::Book => factor.max(T::of(1e-3)),
        };
        let pressure = (T::one() + c.PFZ1 * b.dpi).max(T::of(1e-3));
        let fz = T::select(at.scale.lt(T::one()), b.fz_given, b.fz_moment);
        let load = fz / (factor * pressure * c.FNOMIN);
        let linear = self.linear_stiffness();
        let root = (linear * linear + T::of(4.0) * c.Q_FZ2 * load)
            .max(T::zero())
            .sqrt();
        let share = T::of(2.0) * load / nonzero(linear + root);
        let deflection = (share * c.UNLOADED_RADIUS).max(T::zero());
        Deflection {
            deflection,
            loaded_radius: (rolling.free_radius - deflection).max(T::zero()),
        }
    }

    /// Load (`N`) and deflection (`m`) at a loaded radius, 6.2.
    fn load_at_radius(
        &self,
        b: &Basics<T>,
        planar: &Planar<T>,
        rolling: &Rolling<T>,
        stiffening: T,
        radius: T,
    ) -> (T, T) {
        let c = &self.c;
        let (gamma, free) = (b.gamma, rolling.free_radius);
        let share = radius / free;
        let camber_force = (c.Q_FYS1 + share * (c.Q_FYS2 + share * c.Q_FYS3)) * gamma;
        let pressed = (free - radius).max(T::zero());
        let now = c.Q_CAM1 * radius + c.Q_CAM2 * radius * radius;
        let unpressed = c.Q_CAM1 * free + c.Q_CAM2 * free * free;
        let has_camber = unpressed.abs().gt(T::zero());
        let ratio = T::select(
            has_camber,
            now / T::select(has_camber, unpressed, T::one()),
            T::zero(),
        );
        let tread = (T::of(1.075) - T::of(0.5) * c.ASPECT_RATIO) * c.WIDTH;
        let leaning = ratio * ratio * (tread / T::of(8.0)) * gamma.tan().abs()
            - c.Q_CAM3 * pressed * gamma.abs();
        // MFeval: no camber terms at all without Q_CAM1 and Q_CAM2.
        let leaning = T::select(has_camber, leaning, T::zero());
        let deflection = (pressed + leaning).max(T::zero());
        let x = deflection / c.UNLOADED_RADIUS;
        let least = T::of(1e-9);
        let across =
            x.max(least).powf(c.Q_FCY2) * (c.Q_FCY * (planar.lateral - camber_force)) / c.FNOMIN;
        let pressure = (T::one() + c.PFZ1 * b.dpi).max(T::of(1e-3));
        let factor = (stiffening - across * across) * pressure;
        let load = factor * (self.linear_stiffness() * x + c.Q_FZ2 * x * x) * c.FNOMIN;
        (load, deflection)
    }

    /// 6.2: the loaded radius nearest to the free radius that carries the load. Far from it, and at
    /// light load, (3) has further roots, which an unbracketed search would find.
    fn deflection_62(
        &self,
        at: &LoadContext<T>,
        planar: &Planar<T>,
        rolling: &Rolling<T>,
    ) -> Deflection<T> {
        let b = &at.basics;
        let stiffening = self.stiffening(planar, rolling);
        let excess = |radius: T| {
            let (load, _) = self.load_at_radius(b, planar, rolling, stiffening, radius);
            (load - b.fz_given) / self.c.FNOMIN
        };
        let radius = root::below_or_above(rolling.free_radius, &excess);
        let (_, deflection) = self.load_at_radius(b, planar, rolling, stiffening, radius);
        let none = b.fz_given.le(T::zero());
        Deflection {
            deflection: T::select(none, T::zero(), deflection),
            loaded_radius: T::select(none, rolling.free_radius, radius),
        }
    }
}
