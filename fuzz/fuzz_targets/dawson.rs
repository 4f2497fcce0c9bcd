#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| bouton_fuzz::position("dawson", text));
