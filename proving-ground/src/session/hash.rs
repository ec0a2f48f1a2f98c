//! A digest of a motion.

use jounce::core::BodyState;

/// FNV-1a of 64 bits over the states of a body, one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain(u64);

impl Default for Chain {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Chain {
    /// Appends a state.
    pub(super) fn add(&mut self, body: &BodyState) {
        for number in body.position.to_array() {
            self.word(number.to_bits());
        }
        let velocities = [body.linear_velocity, body.angular_velocity];
        let numbers = velocities.iter().flat_map(|v| v.to_array());
        for number in body.rotation.to_array().into_iter().chain(numbers) {
            self.word(number.to_bits().into());
        }
    }

    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// In hexadecimal.
    pub(super) fn text(self) -> String {
        format!("{:016x}", self.0)
    }
}
