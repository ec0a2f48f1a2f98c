//! Random numbers.

use glam::Vec3;

/// `SplitMix64`: the same numbers everywhere.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// −1…1.
    pub(crate) fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    pub(crate) fn vector(&mut self, size: f32) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll()) * size
    }

    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            if v.length() > 0.1 {
                return v.normalize();
            }
        }
    }
}
