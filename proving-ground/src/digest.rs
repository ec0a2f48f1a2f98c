//! A digest of a motion.

use core::fmt::{self, Display, Formatter};

use jounce::core::BodyState;

/// FNV-1a of 64 bits over numbers, one after the other: equal for equal bits. It is displayed as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionDigest(u64);

impl Default for MotionDigest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl MotionDigest {
    /// Appends pose and velocities of a body.
    pub fn add_body(&mut self, body: &BodyState) {
        for number in body.position.to_array() {
            self.word(number.to_bits());
        }
        self.add_numbers(body.rotation.to_array());
        self.add_numbers(body.linear_velocity.to_array());
        self.add_numbers(body.angular_velocity.to_array());
    }

    /// Appends numbers.
    pub fn add_numbers(&mut self, numbers: impl IntoIterator<Item = f32>) {
        for number in numbers {
            self.word(number.to_bits().into());
        }
    }

    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Display for MotionDigest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
