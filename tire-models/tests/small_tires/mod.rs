//! Tires of every small law, as a vehicle file has them.

/// A tire of each sort for 4 kN, and the maximum force over load that it can have on a surface of
/// friction 1.
pub(crate) const TIRES: [(&str, f32); 15] = [
    ("model = 'friction'", 1.0),
    (
        "model = 'linear'\nslip_stiffness = 20.0\ncornering_stiffness = 15.0\ncamber_stiffness = 1.0\ntrail = 0.03",
        1.0,
    ),
    (
        "model = 'dugoff'\nslip_stiffness = 100000.0\ncornering_stiffness = 80000.0",
        1.0,
    ),
    (
        "model = 'fiala'\nslip_stiffness = 190000.0\ncornering_stiffness = 50000.0\nsliding_friction = 0.7\nstatic_friction = 0.9\nwidth = 0.2",
        0.9,
    ),
    (
        "model = 'brush'\ntread_stiffness_x = 2e7\ntread_stiffness_y = 1.5e7\nhalf_length = 0.06\nnominal_load = 4000.0\nload_sensitivity = 0.0\nkinetic_friction = 1.0\nstribeck_speed = 2.0",
        1.0,
    ),
    (
        "model = 'brush'\ntread_stiffness_x = 2e7\ntread_stiffness_y = 1.5e7\nhalf_length = 0.06\nnominal_load = 4000.0\nload_sensitivity = 0.1\nkinetic_friction = 0.8\nstribeck_speed = 2.0",
        1.1,
    ),
    (
        "model = 'tmsimple'\nnominal_load = 3000.0\ninitial_x = [54000.0, 100000.0]\npeak_x = [3150.0, 6000.0]\nsliding_x = [2400.0, 4600.0]\ninitial_y = [45000.0, 80000.0]\npeak_y = [3000.0, 5700.0]\nsliding_y = [2500.0, 4700.0]",
        1.1,
    ),
    (
        "model = 'tmeasy'\nnominal_load = 3500.0\ncontact_length = 0.12\ninitial_x = [64000.0, 136000.0]\npeak_x = [3950.0, 7630.0]\npeak_slip_x = [0.139, 0.139]\nsliding_x = [2800.0, 5380.0]\nsliding_slip_x = [0.667, 0.667]\ninitial_y = [56000.0, 90000.0]\npeak_y = [3500.0, 6400.0]\npeak_slip_y = [0.149, 0.185]\nsliding_y = [2900.0, 5400.0]\nsliding_slip_y = [0.965, 1.07]\ntrail = [0.178, 0.19]\ntrail_zero_slip = [0.163, 0.204]\ntrail_end_slip = [0.965, 1.07]",
        1.2,
    ),
    (
        "model = 'lugre'\nstiffness = [200.0, 160.0]\ndamping = [1.0, 1.0]\nviscous_friction = 0.002\nstatic_friction = 1.2\nkinetic_friction = 0.9\nstribeck_speed = 6.0\npatch_length = 0.15\nelastic = 0.8",
        1.2,
    ),
    (
        "model = 'slip-curves'\nlongitudinal = [[0.0, 0.0], [0.06, 1.2], [0.2, 1.0]]\nlateral_deg = [[0.0, 0.0], [3.0, 1.2], [20.0, 1.0]]",
        1.2,
    ),
    (
        "model = 'bakker-87'\nlongitudinal_shape = 1.65\nlateral_shape = 1.3\naligning_shape = 2.4\nlongitudinal = [-21.3, 1144.0, 49.6, 226.0, 0.069, -0.006, 0.056, 0.486]\nlateral = [-22.1, 1011.0, 1078.0, 1.82, 0.208, 0.0, -0.354, 0.707, 0.028, 0.0, 14.8, 0.022, 0.0]\naligning = [-2.72, -2.28, -1.86, -2.73, 0.11, -0.07, 0.643, -4.04, 0.015, -0.066, 0.945, 0.03, 0.07]\ngreatest_load = 8000.0",
        1.144,
    ),
    (
        "model = 'pacejka-89'\nlongitudinal = [2.37272, -9.46, 1490.0, 130.0, 276.0, 0.0886, 0.00402, -0.0615, 1.2, 0.0299, -0.176]\nlateral = [1.65, -34.0, 1250.0, 3036.0, 12.8, 0.00501, -0.02103, 0.77394, 0.002289, 0.013442, 0.003709, 19.1656, 1.21356, 6.26206]\naligning = [2.34, 1.495, 6.416654, -3.57403, -0.087737, 0.09841, 0.0027699, -0.0001151, 0.1, -1.33329, 0.025501, -0.02357, 0.03027, -0.0647, 0.0211329, 0.89469, -0.099443, -3.336941]\ngreatest_load = 8000.0",
        1.49,
    ),
    (
        "model = 'pacejka-94'\nlongitudinal = [1.62, -60.0, 1350.0, 20.0, 280.0, 0.07, 0.01, -0.06, 0.4, -0.01, 0.05, 2.0, 10.0, 0.08]\nlateral = [1.5, -25.0, 1150.0, 1400.0, 8.0, 0.008, -0.05, -0.2, 0.003, 0.02, -0.12, 8.0, -12.0, -6.0, -2.0, 0.0004, 0.01, 0.05]\naligning = [2.3, -2.0, -3.0, -2.2, -3.0, 0.1, 0.01, 0.06, -0.4, -1.2, 0.02, 0.02, -0.08, 0.06, 0.3, 0.5, -0.1, -0.6, 0.0006, 0.02, 0.08]\ngreatest_load = 8000.0",
        1.35,
    ),
    (
        "model = 'relaxing'\nrelaxation_length = [0.25, 0.45]\n[law]\nmodel = 'dugoff'\nslip_stiffness = 100000.0\ncornering_stiffness = 80000.0",
        1.0,
    ),
    (
        "model = 'thermal'\nambient = 20.0\nheat_capacity = 10000.0\nsliding_share = 0.5\nhysteresis = 0.01\ncooling = 20.0\ncooling_per_speed = 3.0\nfriction_over_temperature = [[20.0, 1.0], [120.0, 0.95]]\nstiffness_over_temperature = [[20.0, 1.0], [120.0, 0.8]]\nwear_per_energy = 1e-9\nfriction_over_wear = [[0.0, 1.0], [1.0, 0.6]]\ncold_pressure = 200000.0\n[law]\nmodel = 'dugoff'\nslip_stiffness = 100000.0\ncornering_stiffness = 80000.0",
        1.0,
    ),
];
