//! The table of all coefficients: one row per key, `KEY: default, Dimension, meaning`, under the
//! section of the file that it stands in.

use super::{Dimension, Key, coefficients};

coefficients! {
    "MODEL" {
        LONGVL: 16.7, Speed, "Speed of the measurement V₀";
        VXLOW: 1.0, Speed, "Speed below which the low-speed model acts";
        LMUV: 0.0, None, "Decay of friction with slip speed; not a key of most files";
    }
    "DIMENSION" {
        UNLOADED_RADIUS: 0.3135, Length, "Radius of the free tire R₀";
        WIDTH: 0.205, Length, "Nominal section width";
        ASPECT_RATIO: 0.6, None, "Nominal section height over width";
        RIM_RADIUS: 0.1905, Length, "Nominal radius of the rim";
        RIM_WIDTH: 0.152, Length, "Width of the rim";
    }
    "OPERATING_CONDITIONS" {
        INFLPRES: 220_000.0, Pressure, "Inflation pressure";
        NOMPRES: 220_000.0, Pressure, "Nominal pressure p₀ of the formulas";
    }
    "INERTIA" {
        MASS: 9.3, Mass, "Mass of the tire";
        IXX: 0.391, Inertia, "Moment of inertia about a diameter";
        IYY: 0.736, Inertia, "Moment of inertia about the axle";
        BELT_MASS: 7.0, Mass, "Mass of the belt";
        BELT_IXX: 0.34, Inertia, "Moment of inertia of the belt about a diameter";
        BELT_IYY: 0.6, Inertia, "Moment of inertia of the belt about the axle";
        GRAVITY: -9.81, Acceleration, "Gravity on the belt, downward negative";
    }
    "VERTICAL" {
        FNOMIN: 4000.0, Force, "Nominal load Fz₀";
        VERTICAL_STIFFNESS: 200_000.0, Stiffness, "Vertical stiffness Cz₀ at nominal load and pressure";
        VERTICAL_DAMPING: 50.0, Damping, "Vertical damping";
        MC_CONTOUR_A: 0.5, Length, "Motorcycle contour ellipse, first half axis";
        MC_CONTOUR_B: 0.5, Length, "Motorcycle contour ellipse, second half axis";
        BREFF: 8.4, None, "Effective radius: slope at small load";
        DREFF: 0.27, None, "Effective radius: peak";
        FREFF: 0.07, None, "Effective radius: slope at large load";
        Q_RE0: 1.0, None, "Free radius at a standstill over R₀";
        Q_V1: 0.0, None, "Growth of the radius with spin squared";
        Q_V2: 0.0, None, "Growth of the vertical stiffness with spin";
        Q_FZ2: 0.0001, None, "Quadratic part of force by deflection";
        Q_FCX: 0.0, None, "Deflection by longitudinal force";
        Q_FCY: 0.0, None, "Deflection by lateral force";
        Q_CAM: 0.0, None, "Deflection by camber (6.1)";
        PFZ1: 0.0, None, "Vertical stiffness by pressure";
        BOTTOM_OFFST: 0.01, Length, "Distance to the rim at which the tire bottoms";
        BOTTOM_STIFF: 2_000_000.0, Stiffness, "Vertical stiffness once bottomed";
        Q_FCY2: 0.0, None, "Deflection by lateral force: exponent of the deflection (6.2)";
        Q_CAM1: 0.0, None, "Deflection by camber: linear in the loaded radius (6.2)";
        Q_CAM2: 0.0, None, "Deflection by camber: quadratic in the loaded radius (6.2)";
        Q_CAM3: 0.0, None, "Deflection by camber: with the free deflection (6.2)";
        Q_FYS1: 0.0, None, "Lateral force of minimum deflection by camber: constant (6.2)";
        Q_FYS2: 0.0, None, "Lateral force of minimum deflection by camber: linear in the radius (6.2)";
        Q_FYS3: 0.0, None, "Lateral force of minimum deflection by camber: quadratic in the radius (6.2)";
    }
    "STRUCTURAL" {
        LONGITUDINAL_STIFFNESS: 300_000.0, Stiffness, "Longitudinal stiffness of the carcass Cx₀";
        LATERAL_STIFFNESS: 100_000.0, Stiffness, "Lateral stiffness of the carcass Cy₀";
        YAW_STIFFNESS: 5000.0, YawStiffness, "Yaw stiffness of the carcass";
        FREQ_LONG: 80.0, Frequency, "Undamped frequency, fore and aft";
        FREQ_LAT: 40.0, Frequency, "Undamped frequency, lateral";
        FREQ_YAW: 50.0, Frequency, "Undamped frequency, yaw and camber";
        FREQ_WINDUP: 70.0, Frequency, "Undamped frequency, wind-up";
        DAMP_LONG: 0.04, None, "Damping ratio, fore and aft";
        DAMP_LAT: 0.04, None, "Damping ratio, lateral";
        DAMP_YAW: 0.04, None, "Damping ratio, yaw and camber";
        DAMP_WINDUP: 0.04, None, "Damping ratio, wind-up";
        DAMP_RESIDUAL: 0.002, None, "Residual damping over stiffness";
        DAMP_VLOW: 0.001, None, "Added damping at low speed over stiffness";
        Q_BVX: 0.0, None, "Stiffness by load and speed, fore and aft";
        Q_BVT: 0.0, None, "Stiffness by load and speed, wind-up";
        PCFX1: 0.0, None, "Longitudinal stiffness by load";
        PCFX2: 0.0, None, "Longitudinal stiffness by load squared";
        PCFX3: 0.0, None, "Longitudinal stiffness by pressure";
        PCFY1: 0.0, None, "Lateral stiffness by load";
        PCFY2: 0.0, None, "Lateral stiffness by load squared";
        PCFY3: 0.0, None, "Lateral stiffness by pressure";
        PCMZ1: 0.0, None, "Yaw stiffness by pressure";
    }
    "CONTACT_PATCH" {
        Q_RA1: 0.5, None, "Contact length by the root of the deflection";
        Q_RA2: 1.0, None, "Contact length by the deflection";
        Q_RB1: 1.0, None, "Contact width by the cube root of the deflection";
        Q_RB2: -1.0, None, "Contact width by the deflection";
        ELLIPS_SHIFT: 0.8, None, "Road enveloping: shift of the basic curves over the contact length";
        ELLIPS_LENGTH: 1.0, None, "Road enveloping: half length of the cam over the free radius";
        ELLIPS_HEIGHT: 1.0, None, "Road enveloping: half height of the cam over the free radius";
        ELLIPS_ORDER: 1.8, None, "Road enveloping: order of the cam's ellipse";
        ELLIPS_MAX_STEP: 0.025, Length, "Road enveloping: maximum step in height";
        ELLIPS_NWIDTH: 10.0, None, "Road enveloping: cams across";
        ELLIPS_NLENGTH: 10.0, None, "Road enveloping: cams along";
        ENV_C1: 0.0, None, "Road enveloping: height attenuation";
        ENV_C2: 0.0, None, "Road enveloping: camber attenuation";
        Q_A1: 0.0, None, "Contact length by the root of the load (5.2)";
        Q_A2: 0.0, None, "Contact length by the load (5.2)";
    }
    "INFLATION_PRESSURE_RANGE" {
        PRESMIN: 10_000.0, Pressure, "Minimum valid pressure";
        PRESMAX: 1_000_000.0, Pressure, "Maximum valid pressure";
    }
    "VERTICAL_FORCE_RANGE" {
        FZMIN: 100.0, Force, "Minimum valid load";
        FZMAX: 10_000.0, Force, "Maximum valid load";
    }
    "LONG_SLIP_RANGE" {
        KPUMIN: -1.5, None, "Minimum valid slip ratio";
        KPUMAX: 1.5, None, "Maximum valid slip ratio";
    }
    "SLIP_ANGLE_RANGE" {
        ALPMIN: -1.5, Angle, "Minimum valid slip angle";
        ALPMAX: 1.5, Angle, "Maximum valid slip angle";
    }
    "INCLINATION_ANGLE_RANGE" {
        CAMMIN: -0.175, Angle, "Minimum valid inclination";
        CAMMAX: 0.175, Angle, "Maximum valid inclination";
    }
    "SCALING_COEFFICIENTS" {
        LFZO: 1.0, None, "Scale of the nominal load";
        LCX: 1.0, None, "Scale of Fx's shape factor";
        LMUX: 1.0, None, "Scale of Fx's peak friction";
        LEX: 1.0, None, "Scale of Fx's curvature";
        LKX: 1.0, None, "Scale of the slip stiffness";
        LHX: 1.0, None, "Scale of Fx's horizontal shift";
        LVX: 1.0, None, "Scale of Fx's vertical shift";
        LGAX: 1.0, None, "Scale of camber for Fx (5.2)";
        LCY: 1.0, None, "Scale of Fy's shape factor";
        LMUY: 1.0, None, "Scale of Fy's peak friction";
        LEY: 1.0, None, "Scale of Fy's curvature";
        LKY: 1.0, None, "Scale of the cornering stiffness";
        LHY: 1.0, None, "Scale of Fy's horizontal shift";
        LVY: 1.0, None, "Scale of Fy's vertical shift";
        LGAY: 1.0, None, "Scale of camber for Fy (5.2)";
        LTR: 1.0, None, "Scale of the pneumatic trail's peak";
        LRES: 1.0, None, "Scale of the residual moment's offset";
        LGAZ: 1.0, None, "Scale of camber for Mz (5.2)";
        LXAL: 1.0, None, "Scale of the slip angle's influence on Fx";
        LYKA: 1.0, None, "Scale of the slip ratio's influence on Fy";
        LVYKA: 1.0, None, "Scale of Fy induced by the slip ratio";
        LS: 1.0, None, "Scale of Fx's arm for Mz";
        LKYC: 1.0, None, "Scale of the camber force's stiffness";
        LKZC: 1.0, None, "Scale of the camber moment's stiffness";
        LVMX: 1.0, None, "Scale of the overturning moment's vertical shift";
        LMX: 1.0, None, "Scale of the overturning moment";
        LMY: 1.0, None, "Scale of the rolling resistance moment";
        LMP: 1.0, None, "Scale of the turning moment at a standstill";
        LSGKP: 1.0, None, "Scale of the relaxation length of Fx (5.2)";
        LSGAL: 1.0, None, "Scale of the relaxation length of Fy (5.2)";
    }
    "LONGITUDINAL_COEFFICIENTS" {
        PCX1: 1.65, None, "Shape factor Cx";
        PDX1: 1.3, None, "Friction μx at nominal load";
        PDX2: -0.15, None, "Friction μx by load";
        PDX3: 0.0, None, "Friction μx by camber squared";
        PEX1: 0.0, None, "Curvature Ex at nominal load";
        PEX2: 0.0, None, "Curvature Ex by load";
        PEX3: 0.0, None, "Curvature Ex by load squared";
        PEX4: 0.0, None, "Curvature Ex by the sign of slip";
        PKX1: 20.0, None, "Slip stiffness over load at nominal load";
        PKX2: 0.0, None, "Slip stiffness over load, by load";
        PKX3: 0.0, None, "Slip stiffness over load: exponent in load";
        PHX1: 0.0, None, "Horizontal shift at nominal load";
        PHX2: 0.0, None, "Horizontal shift by load";
        PVX1: 0.0, None, "Vertical shift over load at nominal load";
        PVX2: 0.0, None, "Vertical shift over load, by load";
        PPX1: 0.0, None, "Slip stiffness by pressure";
        PPX2: 0.0, None, "Slip stiffness by pressure squared";
        PPX3: 0.0, None, "Friction μx by pressure";
        PPX4: 0.0, None, "Friction μx by pressure squared";
        RBX1: 20.0, None, "Combined slip: slope";
        RBX2: 15.0, None, "Combined slip: slope by slip ratio";
        RBX3: 0.0, None, "Combined slip: slope by camber";
        RCX1: 1.0, None, "Combined slip: shape factor";
        REX1: 0.0, None, "Combined slip: curvature";
        REX2: 0.0, None, "Combined slip: curvature by load";
        RHX1: 0.0, None, "Combined slip: shift";
        PTX1: 0.0, None, "Relaxation length over load at nominal load (5.2)";
        PTX2: 0.0, None, "Relaxation length over load, by load (5.2)";
        PTX3: 0.0, None, "Relaxation length over load: exponent in load (5.2)";
    }
    "OVERTURNING_COEFFICIENTS" {
        QSX1: 0.0, None, "Vertical shift";
        QSX2: 0.0, None, "By camber";
        QSX3: 0.0, None, "By lateral force";
        QSX4: 5.0, None, "Mixed load, lateral force and camber: peak";
        QSX5: 1.0, None, "Mixed load, lateral force and camber: by load";
        QSX6: 10.0, None, "Mixed load, lateral force and camber: slope in load";
        QSX7: 0.0, None, "Mixed load, lateral force and camber: by camber";
        QSX8: 0.0, None, "Mixed load, lateral force and camber: by lateral force";
        QSX9: 0.4, None, "Mixed load, lateral force and camber: slope in lateral force";
        QSX10: 0.0, None, "By camber and load: peak";
        QSX11: 5.0, None, "By camber and load: slope in load";
        QSX12: 0.0, None, "By camber times its magnitude";
        QSX13: 0.0, None, "Arm of the lateral force over R₀";
        QSX14: 0.0, None, "Arm of the lateral force over R₀, by camber's magnitude";
        PPMX1: 0.0, None, "By camber and pressure";
    }
    "LATERAL_COEFFICIENTS" {
        PCY1: 1.3, None, "Shape factor Cy";
        PDY1: 1.1, None, "Friction μy at nominal load";
        PDY2: -0.15, None, "Friction μy by load; MC: its exponent";
        PDY3: 0.0, None, "Friction μy by camber squared";
        PEY1: 0.0, None, "Curvature Ey at nominal load";
        PEY2: 0.0, None, "Curvature Ey by load; MC: by camber squared";
        PEY3: 0.0, None, "Curvature Ey by the sign of slip";
        PEY4: 0.0, None, "Curvature Ey by camber and the sign of slip";
        PEY5: 0.0, None, "Curvature Ey by camber squared; MC: curvature Eγ of camber";
        PKY1: -20.0, None, "Maximum cornering stiffness over nominal load";
        PKY2: 1.0, None, "Load of the maximum cornering stiffness over nominal load; MC: its curvature in load";
        PKY3: 0.0, None, "Cornering stiffness by camber; MC: load of its maximum over nominal load";
        PKY4: 2.0, None, "Cornering stiffness: curvature in load; MC: load of its maximum by camber squared";
        PKY5: 0.0, None, "Load of the maximum cornering stiffness by camber squared; MC: that stiffness by camber squared";
        PKY6: -1.0, None, "Camber stiffness over load at nominal load";
        PKY7: 0.0, None, "Camber stiffness over load, by load";
        PHY1: 0.0, None, "Horizontal shift at nominal load";
        PHY2: 0.0, None, "Horizontal shift by load";
        PHY3: 0.0, None, "Horizontal shift by camber (5.2)";
        PVY1: 0.0, None, "Vertical shift over load at nominal load";
        PVY2: 0.0, None, "Vertical shift over load, by load";
        PVY3: 0.0, None, "Vertical shift over load, by camber";
        PVY4: 0.0, None, "Vertical shift over load, by camber and load";
        PPY1: 0.0, None, "Maximum cornering stiffness by pressure";
        PPY2: 0.0, None, "Load of the maximum cornering stiffness by pressure";
        PPY3: 0.0, None, "Friction μy by pressure";
        PPY4: 0.0, None, "Friction μy by pressure squared";
        PPY5: 0.0, None, "Camber stiffness by pressure";
        RBY1: 10.0, None, "Combined slip: slope";
        RBY2: 10.0, None, "Combined slip: slope by slip angle";
        RBY3: 0.0, None, "Combined slip: slip angle of the maximum slope";
        RBY4: 0.0, None, "Combined slip: slope by camber";
        RCY1: 1.0, None, "Combined slip: shape factor";
        REY1: 0.0, None, "Combined slip: curvature";
        REY2: 0.0, None, "Combined slip: curvature by load";
        RHY1: 0.0, None, "Combined slip: shift";
        RHY2: 0.0, None, "Combined slip: shift by load";
        RVY1: 0.0, None, "Side force by slip ratio, over μy·Fz, at nominal load";
        RVY2: 0.0, None, "Side force by slip ratio, over μy·Fz, by load";
        RVY3: 0.0, None, "Side force by slip ratio, over μy·Fz, by camber";
        RVY4: 20.0, None, "Side force by slip ratio: decay with slip angle";
        RVY5: 2.0, None, "Side force by slip ratio: shape";
        RVY6: 10.0, None, "Side force by slip ratio: slope";
        PTY1: 0.0, None, "Maximum relaxation length over R₀ (5.2)";
        PTY2: 1.0, None, "Load of the maximum relaxation length over nominal load (5.2); MC: its curvature in load";
    }
    "ROLLING_COEFFICIENTS" {
        QSY1: 0.01, None, "Constant";
        QSY2: 0.0, None, "By longitudinal force";
        QSY3: 0.0004, None, "By speed";
        QSY4: 0.00004, None, "By the fourth power of speed";
        QSY5: 0.0, None, "By camber squared";
        QSY6: 0.0, None, "By camber squared and load";
        QSY7: 0.85, None, "Exponent of the load";
        QSY8: -0.4, None, "Exponent of the pressure";
    }
    "ALIGNING_COEFFICIENTS" {
        QBZ1: 10.0, None, "Trail slope Bt at nominal load";
        QBZ2: 0.0, None, "Trail slope Bt by load";
        QBZ3: 0.0, None, "Trail slope Bt by load squared";
        QBZ4: 0.0, None, "Trail slope Bt by camber";
        QBZ5: 0.0, None, "Trail slope Bt by camber's magnitude";
        QBZ9: 10.0, None, "Residual moment's slope Br";
        QBZ10: 0.0, None, "Residual moment's slope Br by cornering stiffness";
        QCZ1: 1.1, None, "Trail shape factor Ct";
        QDZ1: 0.12, None, "Trail peak Dt at nominal load";
        QDZ2: 0.0, None, "Trail peak Dt by load";
        QDZ3: 0.0, None, "Trail peak Dt by camber";
        QDZ4: 0.0, None, "Trail peak Dt by camber squared";
        QDZ6: 0.0, None, "Residual moment's peak Dr at nominal load";
        QDZ7: 0.0, None, "Residual moment's peak Dr by load";
        QDZ8: -0.05, None, "Residual moment's peak Dr by camber";
        QDZ9: 0.0, None, "Residual moment's peak Dr by camber and load";
        QDZ10: 0.0, None, "Residual moment's peak Dr by camber times its magnitude";
        QDZ11: 0.0, None, "Residual moment's peak Dr by camber times its magnitude, and load";
        QEZ1: 0.0, None, "Trail curvature Et at nominal load";
        QEZ2: 0.0, None, "Trail curvature Et by load";
        QEZ3: 0.0, None, "Trail curvature Et by load squared";
        QEZ4: 0.0, None, "Trail curvature Et by the sign of slip";
        QEZ5: 0.0, None, "Trail curvature Et by camber and the sign of slip";
        QHZ1: 0.0, None, "Trail horizontal shift at nominal load";
        QHZ2: 0.0, None, "Trail horizontal shift by load";
        QHZ3: 0.0, None, "Trail horizontal shift by camber";
        QHZ4: 0.0, None, "Trail horizontal shift by camber and load";
        PPZ1: 0.0, None, "Trail by pressure";
        PPZ2: 0.0, None, "Residual moment by pressure";
        SSZ1: 0.0, None, "Arm of Fx over R₀";
        SSZ2: 0.0, None, "Arm of Fx over R₀, by lateral force";
        SSZ3: 0.0, None, "Arm of Fx over R₀, by camber";
        SSZ4: 0.0, None, "Arm of Fx over R₀, by camber and load";
    }
    "TURNSLIP_COEFFICIENTS" {
        PDXP1: 0.4, None, "Decay of Fx's peak";
        PDXP2: 0.0, None, "Decay of Fx's peak by load";
        PDXP3: 0.0, None, "Decay of Fx's peak by slip ratio";
        PKYP1: 1.0, None, "Decay of the cornering stiffness";
        PDYP1: 0.4, None, "Decay of Fy's peak";
        PDYP2: 0.0, None, "Decay of Fy's peak by load";
        PDYP3: 0.0, None, "Decay of Fy's peak by slip angle";
        PDYP4: 0.0, None, "Decay of Fy's peak by the root of spin";
        PHYP1: 1.0, None, "Lateral shift of Fy's curve: shape";
        PHYP2: 0.15, None, "Lateral shift of Fy's curve: maximum";
        PHYP3: 0.0, None, "Lateral shift of Fy's curve: maximum, by load";
        PHYP4: -4.0, None, "Lateral shift of Fy's curve: curvature";
        PECP1: 0.5, None, "Camber over spin: reduction";
        PECP2: 0.0, None, "Camber over spin: reduction by load";
        QDTP1: 10.0, None, "Decay of the trail";
        QCRP1: 0.2, None, "Turning moment at a standstill, and at constant turning";
        QCRP2: 0.1, None, "Turning moment at a slip angle of 90°, by spin";
        QBRP1: 0.1, None, "Decay of the residual moment's slope";
        QDRP1: 1.0, None, "Turning moment: shape";
    }
    // Those that only motorcycles have.
    "SCALING_COEFFICIENTS" {
        LCC: 1.0, None, "Scale of the shape factor of camber (MC)";
        LEC: 1.0, None, "Scale of the curvature of camber (MC)";
    }
    "LATERAL_COEFFICIENTS" {
        PCY2: 0.8, None, "Shape factor of camber Cγ (MC)";
        PTY3: 1.0, None, "Load of the maximum relaxation length over nominal load (MC)";
    }
}
