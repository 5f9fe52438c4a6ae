//! The ring of the retained memory, with loom's atomics.

#[allow(unexpected_cfgs, reason = "`damage` is a feature of clockd-rt")]
#[allow(dead_code, reason = "the models count no losses")]
#[path = "../../../daemon/rt/src/retained/ring.rs"]
pub mod ring;

/// This module stands in place of `daemon/rt/src/retained/memory.rs`, whose words lie in a memfd.
pub mod memory {
    pub use loom::sync::atomic::{AtomicU64, Ordering};
    use std::ops::Deref;
    use std::sync::Arc;

    /// A part of the memory.
    #[derive(Clone)]
    pub struct Area(Arc<[AtomicU64]>);

    impl Area {
        /// An area of `words` words, all of which are 0.
        pub fn of_zeros(words: usize) -> Area {
            Area((0..words).map(|_| AtomicU64::new(0)).collect())
        }
    }

    impl Deref for Area {
        type Target = [AtomicU64];

        fn deref(&self) -> &[AtomicU64] {
            &self.0
        }
    }
}

use crate::model::Eventfd;
use loom::sync::Arc;
use loom::thread;
use memory::Area;
use ring::{Frame, Full, RingReader, ring};

/// An empty ring for two frames of one word each. Its first 16 words are the ring's own, and the
/// other 6 are for the frames.
fn small_ring() -> (ring::RingWriter, RingReader) {
    ring(Area::of_zeros(16 + 6))
}

/// Reads all frames that are there. Checks that their numbers follow `last`, and that each frame
/// has the bytes that were pushed with its number.
fn read(reader: &mut RingReader, last: &mut u64) {
    while let Some(next) = reader.next() {
        let Frame { number, bytes } = next.expect("no frame is damaged");
        assert_eq!((number, bytes), (*last + 1, &[u8::try_from(number).expect("small")][..]));
        *last = number;
    }
}

#[test]
fn frames_are_read_whole_and_in_order_while_they_are_written_and_released() {
    loom::model(|| {
        let (mut writer, mut reader) = small_ring();
        // After this frame there is room for one more. The third frame takes the place of the first
        // one after the reader has released the first one.
        writer.push(1, &[1]).expect("there is room");
        let writing = thread::spawn(move || {
            let mut next = 2;
            for _ in 0..2 {
                let bytes = [u8::try_from(next).expect("small")];
                if writer.push(next, &bytes) != Err(Full) {
                    next += 1;
                }
            }
            next - 1
        });
        let mut last = 0;
        read(&mut reader, &mut last);
        reader.release_through(last);
        read(&mut reader, &mut last);
        let pushed = writing.join().expect("the writer ended");
        read(&mut reader, &mut last);
        assert_eq!(last, pushed);
    });
}

#[test]
fn a_frame_that_stays_unread_is_notified() {
    loom::model(|| {
        let (mut writer, mut reader) = small_ring();
        let eventfd = Arc::new(Eventfd::default());
        let wakeups = Arc::clone(&eventfd);
        let writing = thread::spawn(move || {
            for number in 1..=2 {
                writer
                    .push(number, &[u8::try_from(number).expect("small")])
                    .expect("there is room");
                eventfd.notify();
            }
        });
        let mut last = 0;
        wakeups.clear();
        read(&mut reader, &mut last);
        writing.join().expect("the writer ended");
        assert!(last == 2 || wakeups.is_readable());
    });
}
