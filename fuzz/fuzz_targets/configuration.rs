#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| satscope_fuzz::entries::configuration(data));
