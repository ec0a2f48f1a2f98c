#![no_main]

#[path = "../tir.rs"]
mod tir;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tir::hold(bytes));
