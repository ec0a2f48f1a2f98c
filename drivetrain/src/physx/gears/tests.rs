use super::*;

mod autobox;
mod drive;
mod gearbox;
