//! What tires tell of themselves besides forces: how much they hold each way.

use super::*;
use crate::params::LoadFilter;
use crate::tire_model::{TireForces, TireInput, TireModel, TireProperties, TireTraits};

/// 10 loads per unit of slip, within an ellipse.
#[derive(Clone, Copy, Debug)]
struct Told {
    /// Grip forward and to a side over friction × load [−].
    grip: [f32; 2],
}

impl TireModel for Told {
    fn forces(&self, i: &TireInput) -> TireForces {
        let told = self.grip.iter().all(|g| *g > 0.0);
        let [along, across] =
            if told { self.grip } else { [1.0; 2] }.map(|g| g * i.friction * i.load);
        let (x, y) = (
            10.0 * i.load * i.slip_ratio,
            10.0 * i.load * i.tan_slip_angle,
        );
        let used = math::sqrt((x / along) * (x / along) + (y / across) * (y / across));
        let scale = 1.0 / used.max(1.0);
        TireForces {
            longitudinal: x * scale,
            lateral: -y * scale,
            wheel_torque: -x * scale * i.radius,
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
        let plain = TireProperties::plain(input).grip;
        TireProperties {
            grip: core::array::from_fn(|n| self.grip[n] * plain[n]),
        }
    }
}

fn on(tire: Told) -> Arc<VehicleKind> {
    let params = Checked::new(params(|p| p.load_filter = LoadFilter::OFF)).unwrap();
    let tires: [Arc<dyn TireModel>; 1] = [Arc::new(tire)];
    Arc::new(VehicleKind::new(params, &tires, testing::no_drive()).unwrap())
}

const WIDE: [f32; 2] = [1.2, 0.6];

// Friction 0.3: slopes of 0.36 along and 0.18 across hold, a little less and a little more.
#[rstest]
#[case::up(WIDE, 0.36 * 0.98, 0.0, true)]
#[case::too_far_up(WIDE, 0.36 * 1.02, 0.0, false)]
#[case::down(WIDE, -0.36 * 0.98, 0.0, true)]
#[case::too_far_down(WIDE, -0.36 * 1.02, 0.0, false)]
#[case::across(WIDE, 0.0, 0.18 * 0.98, true)]
#[case::too_far_across(WIDE, 0.0, 0.18 * 1.02, false)]
#[case::nothing_told([0.0, 1.0], 0.0, 0.3 * 0.98, true)]
#[case::nothing_told_and_too_far([1.0, f32::NAN], 0.3 * 1.02, 0.0, false)]
fn a_car_stands_up_to_the_grip_of_its_tires_each_way(
    #[case] grip: [f32; 2],
    #[case] up: f32,
    #[case] left: f32,
    #[case] stands: bool,
) {
    let mut world = World::new(&on(Told { grip }), up.atan(), left.atan());
    world.friction = 0.3;
    world.run(3.0);
    let before = world.body.position;
    world.run(4.0);
    let way = (world.body.position - before).length();
    assert_eq!(way < 0.5e-3, stands, "{way}");
}

#[test]
fn grip_in_use_is_that_of_the_ellipse() {
    let mut world = World::new(&on(Told { grip: WIDE }), 0.0, 0.2);
    world.friction = 0.3;
    world.run(1.0);
    for wheel in 0..4 {
        let report = world.car.wheel_report(wheel);
        assert!((report.grip_used - 1.0).abs() < 0.01, "{report:?}");
        assert!((report.friction - 0.36).abs() < 1e-4);
    }
}
