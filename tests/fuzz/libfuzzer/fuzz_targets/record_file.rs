#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| clock_fuzz::record_file(data));
