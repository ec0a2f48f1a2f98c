use super::super::tests::saloon;
use super::*;

/// A substep of `h` (`s`) in which a rotor keeps its speed (`rad/s`) and has this torque (`N·m`).
fn substep(memory: &mut ElectricMemory, speed: f32, torque: f32, h: f32) {
    memory.duration = h;
    memory.motors[0].speed = speed;
    memory.add_substep(
        saloon().params(),
        &[rotor(speed, torque, torque * speed * h)],
    );
}

/// A rotor at the end of a substep with this torque and work.
fn rotor(speed: f32, applied: f32, work: f32) -> ShaftNode {
    ShaftNode {
        speed,
        applied,
        work,
        ..ShaftNode::new(0.05)
    }
}

#[test]
fn what_is_written_is_read() {
    let mut memory = ElectricMemory {
        used: 2.5e8 + 0.25,
        recovered: 3.0,
        drawn: -1e5 - 0.125,
        duration: 0.01,
        power: 300.0,
        brakes: [0.5, 0.25],
        ..ElectricMemory::default()
    };
    memory.motors[0] = MotorMemory {
        speed: 1.0,
        torque: 2.0,
        rise: 3.0,
    };
    let mut numbers = [0.0; ElectricMemory::length(1)];
    memory.write(&mut numbers);
    assert_eq!(ElectricMemory::read(&numbers), memory);
    assert_eq!(ElectricMemory::read(&[]), ElectricMemory::default());
}

/// Battery = motor + losses, and the charge by a finer integration: 20 minutes at 120 kW of 400 N·m, saved after each substep.
#[test]
fn energy_and_charge_are_those_of_an_integration() {
    let mut numbers = [0.0; ElectricMemory::length(1)];
    let mut memory = ElectricMemory::default();
    for _ in 0..72_000 {
        memory = ElectricMemory::read(&numbers);
        substep(&mut memory, 300.0, 400.0, 1.0 / 60.0);
        memory.write(&mut numbers);
    }
    let power = 120_000.0 + 0.06 * 400.0 * 400.0 + 1.5 * 300.0 + 200.0;
    let used = power * 1200.0;
    assert!((memory.used / used - 1.0).abs() < 1e-6, "{}", memory.used);
    assert_eq!(memory.recovered, 0.0);
    // V = 392 V − 40 V·Q/720 kC behind 0.08 Ω, by Euler steps of 1/6 s.
    let mut drawn = 0.0_f64;
    for _ in 0..7200 {
        let voltage: f64 = 392.0 - 40.0 * drawn / 720_000.0;
        let root = (voltage * voltage - 4.0 * 0.08 * power).sqrt();
        drawn += (voltage - root) / (2.0 * 0.08) / 6.0;
    }
    assert!(
        (memory.drawn / drawn - 1.0).abs() < 1e-4,
        "{} {drawn}",
        memory.drawn
    );
    let charge = f64::from(memory.state_of_charge(saloon().params()));
    assert!(
        (charge - (0.8 - drawn / 720_000.0)).abs() < 1e-4,
        "{charge}"
    );
}

/// Losses are those of the mean speed and of the torque that the solver applied.
#[test]
fn aids_reduce_torque_and_losses() {
    let mut memory = ElectricMemory {
        duration: 0.1,
        ..ElectricMemory::default()
    };
    memory.motors[0].speed = 100.0;
    memory.add_substep(saloon().params(), &[rotor(120.0, 310.0, 3410.0)]);
    assert_eq!(memory.motors[0].torque, 310.0);
    let losses = 0.06 * 310.0 * 310.0 + 1.5 * 110.0 + 200.0;
    assert!((memory.power - (34_100.0 + losses)).abs() < 0.1);
}

#[test]
fn regeneration_charges_the_battery() {
    let mut memory = ElectricMemory::default();
    substep(&mut memory, 500.0, -200.0, 0.5);
    let losses = 0.06 * 200.0 * 200.0 + 1.5 * 500.0 + 200.0;
    let recovered = 0.5 * (100_000.0 - losses);
    assert!((memory.recovered / recovered - 1.0).abs() < 1e-6);
    assert!(memory.used == 0.0 && memory.drawn < 0.0);
}

#[test]
fn a_standing_motor_changes_nothing() {
    let mut memory = ElectricMemory::default();
    memory.motors[0].rise = 40.0;
    memory.duration = 0.01;
    let before = memory;
    for speed in [0.01, -0.02, 0.0] {
        memory.add_substep(saloon().params(), &[rotor(speed, 0.0, 0.0)]);
        assert_eq!(memory, before);
    }
}
