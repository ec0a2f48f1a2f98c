//! Numbers of the rows solver that follow from no law, in one place: bounds, tolerances, counts.

use crate::base::lanes::W4;

// Sweeps.

/// Maximum number of evaluations of a law whose friction falls.
pub(super) const LAW_EVALUATIONS: u32 = 4;

/// Sweeps of the struts of a car that was placed, before its tires' laws are evaluated, in long substeps (–).
pub(super) const PLACED_SWEEPS: u32 = 4;

/// Displacement of a strut from the start to the middle of its contact (`m`) above which one sweep is not enough: it reaches
/// its bump stop within a few substeps, and rows that stiff, swept once, push the car sideways.
pub(super) const FAST_STRUT: f32 = 5e-3;

/// Longest substep (`s`) in which an unbraked wheel below 1 m/s counts its mean speed. In longer ones, it counts its final
/// speed, as faster wheels do: a differential that responds to the speeds at the start would let it oscillate.
pub(super) const LONG_SUBSTEP: f32 = 1.0 / 50.0;

/// Fraction of a wheel's change that is applied before the opposite wheel of its axle is solved (–). At 1/2, the result is the
/// mean of both Gauss–Seidel orders. With `RowBlock::opposite_fraction` instead, a sweep is closer to solving all rows at
/// once, but a parked sedan under a swinging load moves by 0.57 mm at 30 Hz instead of 0.50.
pub(super) const OPPOSITE_FRACTION: [W4; 2] = [W4::splat(0.5); 2];

// The body in the engine.

/// Displacement by the rounding of a position once or twice, over the bound of `rounding` (–).
pub(super) const SINGLE_ROUNDING: f32 = 0.125;

/// Above this speed over the ground (`m/s`), a push along the road moves the car, and tires respond to that: it is
/// expected as it was in the last step.
pub(super) const ROLLING_SPEED: f32 = 1.0;

/// Displacement by which contacts may correct a body in a step without a change of velocity, over g·dt² (–).
pub(super) const CONTACT_CORRECTION: f32 = 0.1;

/// Rounding of a velocity that a portal turned by a rounded rotation, over its size (–).
pub(super) const TURNED_ROUNDING: f32 = 1e-5;

/// Displacements that an engine's roundings alone may explain, over the bound of `observer::rounding` (–).
pub(super) const GROUND_ROUNDINGS: f32 = 0.25;

/// Below this speed (`m/s`), ground may only be shaken by the vehicle that stands on it.
pub(super) const SHAKING_GROUND: f32 = 0.05;

// Struts and links.

/// Number of estimates of a nonlinear damper's coefficient.
pub(super) const STRUT_ESTIMATES: usize = 3;

/// Maximum speed along n of a wheel that was placed in the ground (`m/s`).
pub(super) const EMERGENCE: f32 = 1.0;

/// Least k·w·T²/i² at which a spring acts by the end of the contact (–). With 4, a kart of 1.5 kg on 100 kN/m, dropped
/// undamped, bounces higher than it fell; with 1, the stops of cars take 3 % off the depth of a landing at 30 Hz.
pub(super) const STIFF_STRUT: f32 = 2.5;

/// Least k·w·T²/i² at which a spring stops its wheel (–). Without, a car of 1.5 kg on 100 MN/m, dropped undamped by 2 mm,
/// more than doubles its energy.
pub(super) const RIGID_STRUT: f32 = 100.0;

/// Least incidence at which a ray supports its wheel fully (–): between both, a car that lies on its side comes to rest on its hull
/// or its wheels, not on a bound.
pub(super) const FULL_INCIDENCE: f32 = 0.5;

/// Minimum duration of a contact over the substep (–).
pub(super) const LEAST_TRAVEL_PART: f32 = 1e-3;

/// Beyond its stop by more than this, a wheel of a placed car is in the ground (`m`).
pub(super) const BURIED: f32 = 0.05;

/// Longest part of a substep (`s`): a wheel hop of 14 Hz is 0.3 % slower than it should be.
pub(super) const LONGEST_HOP_PART: f32 = 1.0 / 480.0;

/// Number of estimates of the chassis' speed at the end, at which an unsprung mass's springs are looked up.
pub(super) const UNSPRUNG_ESTIMATES: usize = 3;

/// Most that an unsprung mass counts against the chassis' at its row (–): bodies that are too light for their wheels stay in one
/// piece.
pub(super) const MOST_UNSPRUNG_SHARE: f32 = 0.5;

/// Most that a row is tilted (–): on steeper facets, a wheel's travel is not the displacement of its contact.
pub(super) const MOST_TILT: f32 = 0.5;

/// Least distance across the ground of an axle's contacts, over that of its wheels (–): of a car that balances on two wheels,
/// they may be one above the other.
pub(super) const LEAST_TRACK: f32 = 0.5;

/// Least response that is counted of bushings that turn wheels into a force (–): with −1, a wheel would turn without end.
pub(super) const MOST_FAVOR: f32 = -0.25;

// Ground that yields.

/// Part of m/T that a strut's damper uses on a body that moves (–).
pub(super) const STRUT_RESPONSE: f32 = 0.25;

/// Part of m/T that a tire's carcass uses on a body that moves (–).
pub(super) const CARCASS_RESPONSE: f32 = 0.2;

/// Least damping time of a carcass over a step (–).
pub(super) const RESPONSE_STEPS: f32 = 2.0;

// Tires.

/// Minimum speed in the denominator of slips (`m/s`).
pub(super) const LEAST_CREEP_SPEED: f32 = 0.05;

/// Speed below which a sticking wheel may appear to slide, and moments of tires fade (`m/s`).
pub(super) const SLOW: f32 = 1.0;

/// Minimum slip at which the law is evaluated (–), so that force over slip is well defined.
pub(super) const LEAST_SLIP: f32 = 1e-3;

/// Carcass force over sliding force above which the contact of a wheel that does not turn creeps (–).
pub(super) const BREAKAWAY: f32 = 0.9;

/// Maximum of τ·V over the relaxation length (–).
pub(super) const DAMPED_LENGTH: f32 = 0.1;

/// Minimum secant of a law per rest load (–): a tire without force slides freely.
pub(super) const LEAST_SECANT: f32 = 1e-3;

/// Change of slip below which a tire's force counts as unchanged (–).
pub(super) const SLIP_TOLERANCE: f32 = 0.01;

/// Force over grip above which a tire may be past its peak (–). Measured against two evaluations in every substep: the stopping
/// distances of the suv at 30 to 240 Hz are 0.2 % apart instead of 1.1 %, with a fifth fewer instructions.
pub(super) const NEAR_PEAK: f32 = 0.75;

/// Minimum fraction of a tire's force that stays within friction as the force lifts its wheel (–).
pub(super) const LEAST_GRIP: f32 = 0.1;

// Limits of slip.

/// Contact speed that a driving bound counts at least (`m/s`): a car that stands must be able to drive off.
pub(super) const LEAST_DRIVEN_SPEED: f32 = 3.0;

/// Distance of a slip from a limit within which a wheel counts as kept there, over the limit (–).
pub(super) const NEAR_LIMIT: f32 = 0.02;

/// Spin at which every tire slides (`rad/s`), for tires so stiff that none at which they grip has the slip.
pub(super) const SLIDING_SPIN: f32 = 1e6;

// Clutch and coupled wheels.

/// Strength K of a sticking friction clutch (`N·m·s/rad`): practically rigid.
pub(super) const RIGID_CLUTCH: f32 = 1e8;

/// Capacity of a viscous clutch (`N·m`): more than any transmits.
pub(super) const UNLIMITED_TORQUE: f32 = 1e9;

/// Maximum number of iterations.
pub(super) const CLUTCH_STEPS: u32 = 12;

/// Slip at which the iterations end, over the engine's speed (–).
pub(super) const CLUTCH_SLIP: f32 = 1e-5;

/// Maximum number of Newton steps of shafts.
pub(super) const SHAFT_STEPS: u32 = 16;

/// Slip of shafts at which the steps end, over the size of their speeds (–).
pub(super) const SHAFT_SLIP: f64 = 1e-6;

/// Softness of a rigid row (`rad/s/(N·m)`), with which rows that constrain the same speeds share their torque.
pub(super) const LEAST_SHAFT_SOFTNESS: f64 = 1e-9;

/// Steps toward the end of a Newton step that goes too far.
pub(super) const LINE_STEPS: u32 = 12;

/// Bisections of the engine's torque.
pub(super) const ENGINE_BISECTIONS: u32 = 24;

/// Maximum number of iterations; a few suffice, unless a tire is about to slide.
pub(super) const COUPLING_STEPS: usize = 48;

/// Relative tolerance of a wheel coupling's speed (–).
pub(super) const COUPLING_MOMENTUM: f32 = 1e-6;
