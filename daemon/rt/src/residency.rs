//! How many pages of a range of addresses are in memory, for the tests.
//!
//! A page that is in memory causes no major page fault, and no minor one that would have to find a
//! page for it. Page faults themselves are not counted: the kernel also causes some of its own accord,
//! for example after a `fork`, or when it moves pages.

use rustix::param::page_size;
use std::ops::Range;

/// The whole pages within these addresses, as their number and the number of those in memory.
pub fn pages(addresses: Range<usize>) -> (usize, usize) {
    let start = addresses.start.next_multiple_of(page_size());
    let count = (addresses.end - start) / page_size();
    let mut pages = vec![0_u8; count];
    let first = std::ptr::with_exposed_provenance_mut(start);
    // SAFETY: mincore(2) reads nothing of the range, and writes a byte for each of its pages.
    let read = unsafe { libc::mincore(first, count * page_size(), pages.as_mut_ptr()) };
    assert_eq!(read, 0, "{}", std::io::Error::last_os_error());
    (count, pages.iter().filter(|page| **page & 1 == 1).count())
}
