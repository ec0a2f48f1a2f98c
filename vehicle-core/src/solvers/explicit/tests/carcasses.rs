//! Tires whose forces build up over a distance.

use super::*;
use crate::exchange::grip_memory::{ExplicitGrip, GripMemory};
use crate::params::profile::Profile;

/// Forces of slip times load, built up over 0.4 m.
#[derive(Debug)]
struct Carcass;

impl TireModel for Carcass {
    fn forces(&self, input: &TireInput) -> TireForces {
        TireForces {
            longitudinal: 20.0 * input.load * input.slip_ratio,
            lateral: -10.0 * input.load * input.tan_slip_angle,
            ..TireForces::default()
        }
    }

    fn traits(&self) -> TireTraits {
        TireTraits {
            has_properties: true,
            ..TireTraits::PLAIN
        }
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        TireProperties {
            slip_stiffness: [20.0 * input.load, 10.0 * input.load],
            relaxation_length: [0.4; 2],
            ..TireProperties::plain(input)
        }
    }
}

/// A car that creeps ahead and aside on such tires: wheel 1 has stood long enough to stick, wheel 2 is in
/// the air.
fn creeping_on_carcasses() -> Rig {
    let model = on_tires(with_profile(Profile::PHYSX_4), Carcass);
    let mut rig =
        Rig::new(model, REST).moving(Quat::IDENTITY, Vec3::new(0.1, 0.1, 0.0), Vec3::ZERO);
    let wheels = rig.wheels();
    wheels.spin = W4::splat(0.1);
    wheels.grip = GripMemory::Explicit(ExplicitGrip {
        still: [W4::from_array([0.0, 2.0, 2.0, 0.0]); 2],
        relaxed: [W4::splat(500.0), W4::splat(-300.0)],
    });
    wheels.ground_height = W4::from_array([REST, REST, 9.0, REST]);
    rig
}

/// Only wheels that roll on the ground have carcasses that relax; sticking and airborne ones forget theirs.
#[test]
fn carcasses_relax_where_wheels_roll() {
    let mut rig = creeping_on_carcasses();
    rig.advance(H);
    let (out, relaxed) = (*rig.out(), rig.state.wheels[0].grip.explicit().relaxed);
    let forces = [
        (relaxed[0], out.forces.longitudinal),
        (relaxed[1], out.forces.lateral),
    ];
    for (n, (remembered, pushed)) in forces.into_iter().enumerate() {
        assert_eq!(
            (remembered.lane(1), remembered.lane(2)),
            (0.0, 0.0),
            "sticking, in the air"
        );
        for lane in [0, 3] {
            let (remembered, pushed) = (remembered.lane(lane), pushed.lane(lane));
            assert!(close(remembered, pushed, 1e3), "{remembered} {pushed}");
            let before = [500.0, -300.0][n];
            assert!(remembered != before && (remembered - before).abs() < 100.0);
        }
    }
}

/// Slips relax over the distance that the contact rolls at the speed that they refer to.
#[test]
fn slips_relax_over_their_denominators() {
    let mut rig = creeping_on_carcasses();
    rig.control.wheels[0].brake = W4::splat(1.0);
    rig.advance(H);
    let out = *rig.out();
    let load = out.load.lane(0);
    // 0.05 m/s at the rim, 0.1 m/s over the ground: driven or braked, with 0.1 m/s added; 1 m/s aside.
    let lag =
        |slip: f32, before: f32, over: f32| slip + (before - slip) * math::exp(-over * H / 0.4);
    let ahead = lag(-0.05 / 0.2, 500.0 / (20.0 * load), 0.2);
    assert!(
        close(out.slip_ratio.lane(0), ahead, 1.0),
        "{} {ahead}",
        out.slip_ratio.lane(0)
    );
    let aside = lag(-0.1 / 1.1, -300.0 / (10.0 * load), 1.1);
    assert!(
        close(-out.tan_slip_angle.lane(0), aside, 1.0),
        "{} {aside}",
        out.tan_slip_angle.lane(0)
    );
}
