//! SHA-256 (FIPS 180-4), for the files that are attached to the record of a game.

/// The sum of what was given so far.
pub struct Sha256 {
    state: [u32; 8],
    /// The beginning of the next block.
    block: [u8; 64],
    filled: usize,
    /// How many bytes were given.
    length: u64,
}

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
const ROUND: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

impl Sha256 {
    pub fn new() -> Self {
        // The same of the square roots of the first 8 primes.
        let state = [
            0x6a09_e667,
            0xbb67_ae85,
            0x3c6e_f372,
            0xa54f_f53a,
            0x510e_527f,
            0x9b05_688c,
            0x1f83_d9ab,
            0x5be0_cd19,
        ];
        Sha256 { state, block: [0; 64], filled: 0, length: 0 }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.push(*byte);
            self.length += 1;
        }
    }

    /// The sum in hexadecimal digits.
    pub fn finish(mut self) -> String {
        let bits = self.length.wrapping_mul(8);
        self.push(0x80);
        while self.filled != 56 {
            self.push(0);
        }
        for byte in bits.to_be_bytes() {
            self.push(byte);
        }
        self.state.iter().map(|word| format!("{word:08x}")).collect()
    }

    fn push(&mut self, byte: u8) {
        self.block[self.filled] = byte;
        self.filled += 1;
        if self.filled == self.block.len() {
            self.filled = 0;
            self.compress();
        }
    }

    fn compress(&mut self) {
        let schedule = schedule(&self.block);
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = self.state;
        for (constant, word) in ROUND.into_iter().zip(schedule) {
            let sum1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let choice = (e & f) ^ (!e & g);
            let first =
                h.wrapping_add(sum1).wrapping_add(choice).wrapping_add(constant).wrapping_add(word);
            let sum0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let majority = (a & b) ^ (a & c) ^ (b & c);
            let second = sum0.wrapping_add(majority);
            (h, g, f, e) = (g, f, e, d.wrapping_add(first));
            (d, c, b, a) = (c, b, a, first.wrapping_add(second));
        }
        for (word, added) in self.state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(added);
        }
    }
}

fn schedule(block: &[u8; 64]) -> [u32; 64] {
    let mut words = [0; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for at in 16..64 {
        let before: u32 = words[at - 15];
        let small0 = before.rotate_right(7) ^ before.rotate_right(18) ^ (before >> 3);
        let before: u32 = words[at - 2];
        let small1 = before.rotate_right(17) ^ before.rotate_right(19) ^ (before >> 10);
        words[at] =
            words[at - 16].wrapping_add(small0).wrapping_add(words[at - 7]).wrapping_add(small1);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::Sha256;

    fn sum(bytes: &[u8]) -> String {
        let mut sum = Sha256::new();
        sum.update(bytes);
        sum.finish()
    }

    /// The examples of FIPS 180-4, and lengths around the end of a block.
    #[test]
    fn the_sums_of_known_texts() {
        for (text, expected) in [
            (b"".to_vec(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (b"abc".to_vec(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".to_vec(),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            (
                vec![b'a'; 1_000_000],
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            ),
        ] {
            assert_eq!(sum(&text), expected);
        }
        for length in [55, 56, 63, 64, 65, 119, 120] {
            let text = vec![b'x'; length];
            let mut parts = Sha256::new();
            text.chunks(7).for_each(|part| parts.update(part));
            assert_eq!(parts.finish(), sum(&text), "{length}");
        }
    }
}
