//! Finds the FAT partition that a Raspberry Pi starts from: the first one of a card or of its image.

use std::io::{self, Read, Seek, SeekFrom};

/// The size of a sector in bytes, which is the same for all SD cards.
const SECTOR: u64 = 512;
/// The types of partitions of an MBR that have a FAT file system.
const FAT_TYPES: [u8; 7] = [0x01, 0x04, 0x06, 0x0b, 0x0c, 0x0e, 0xef];
/// The type of the partition of an MBR that stands for a GPT.
const GPT: u8 = 0xee;
/// The types of partitions of a GPT that have a FAT file system: the EFI system partition, and the
/// basic data partition of Windows.
const FAT_GUIDS: [[u8; 16]; 2] = [
    *b"\x28\x73\x2a\xc1\x1f\xf8\xd2\x11\xba\x4b\x00\xa0\xc9\x3e\xc9\x3b",
    *b"\xa2\xa0\xd0\xeb\xe5\xb9\x33\x44\x87\xc0\x68\xb6\xb7\x26\x99\xc7",
];
/// The most partitions of a GPT that are read.
const GPT_LIMIT: u32 = 128;
/// The first bytes of a compressed file, and the command that unpacks it.
const COMPRESSED: [(&[u8], &str); 4] = [
    (b"\x28\xb5\x2f\xfd", "zstd -d"),
    (b"\x1f\x8b", "gunzip"),
    (b"\xfd7zXZ", "xz -d"),
    (b"PK\x03\x04", "unzip"),
];

/// Returns the first byte of the FAT partition of a card, or why there is none.
///
/// # Errors
///
/// The card cannot be read.
pub fn fat_partition(card: &mut (impl Read + Seek)) -> io::Result<Result<u64, String>> {
    let Some(first) = sector(card, 0)? else {
        return Ok(Err("it is too short for a partition table".to_owned()));
    };
    if let Some((_, program)) = COMPRESSED.iter().find(|(begin, _)| first.starts_with(begin)) {
        return Ok(Err(format!("it is compressed; unpack it first, with {program}")));
    }
    if is_fat(&first) {
        return Ok(Ok(0));
    }
    if first[510..] != [0x55, 0xaa] {
        return Ok(Err("it has no partition table".to_owned()));
    }
    let entries = (0..4).map(|index| &first[446 + 16 * index..][..16]);
    let mut starts = Vec::new();
    for entry in entries {
        match entry[4] {
            GPT => starts.extend(of_gpt(card)?),
            kind if FAT_TYPES.contains(&kind) => starts.push(u64::from(little_endian(&entry[8..]))),
            _ => {}
        }
    }
    for start in starts {
        if sector(card, start)?.is_some_and(|sector| is_fat(&sector)) {
            return Ok(Ok(start * SECTOR));
        }
    }
    Ok(Err("it has no partition with a FAT file system".to_owned()))
}

/// The first sectors of the partitions of a GPT that have a FAT file system.
fn of_gpt(card: &mut (impl Read + Seek)) -> io::Result<Vec<u64>> {
    let mut starts = Vec::new();
    let Some(header) = sector(card, 1)?.filter(|header| header.starts_with(b"EFI PART")) else {
        return Ok(starts);
    };
    let table = u64::from(little_endian(&header[72..]));
    let (count, size) = (little_endian(&header[80..]), little_endian(&header[84..]));
    if !(128..=512).contains(&size) {
        return Ok(starts);
    }
    for index in 0..count.min(GPT_LIMIT) {
        let at = table * SECTOR + u64::from(index) * u64::from(size);
        let Some(entry) = bytes::<40>(card, at)? else { break };
        if FAT_GUIDS.iter().any(|guid| entry[..16] == *guid) {
            starts.push(u64::from(little_endian(&entry[32..])));
        }
    }
    Ok(starts)
}

/// Whether this is the first sector of a FAT file system.
fn is_fat(sector: &[u8; 512]) -> bool {
    let has_name = &sector[54..57] == b"FAT" || &sector[82..85] == b"FAT";
    has_name && sector[510..] == [0x55, 0xaa]
}

/// The 32-bit number at the beginning of `bytes`. No card has more than 2^32 sectors, which is
/// 2 TiB.
fn little_endian(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn sector(card: &mut (impl Read + Seek), number: u64) -> io::Result<Option<[u8; 512]>> {
    bytes(card, number * SECTOR)
}

/// Reads `N` bytes from the offset `at`. Returns `None` if the card has fewer bytes.
fn bytes<const N: usize>(card: &mut (impl Read + Seek), at: u64) -> io::Result<Option<[u8; N]>> {
    let mut bytes = [0; N];
    card.seek(SeekFrom::Start(at))?;
    match card.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::fat_partition;
    use std::io::Cursor;

    /// A card of 64 sectors. A part is an offset in bytes, and the bytes that begin there.
    fn card(parts: &[(usize, &[u8])]) -> Vec<u8> {
        let mut card = vec![0; 64 * 512];
        for (at, bytes) in parts {
            card[*at..at + bytes.len()].copy_from_slice(bytes);
        }
        card
    }

    fn found(card: &[u8]) -> Result<u64, String> {
        fat_partition(&mut Cursor::new(card)).expect("memory can be read")
    }

    const SIGNATURE: (usize, &[u8]) = (510, &[0x55, 0xaa]);

    /// The parts of a FAT file system that begins in this sector.
    fn fat(sector: usize) -> [(usize, &'static [u8]); 2] {
        [(sector * 512 + 82, b"FAT32   "), (sector * 512 + 510, &[0x55, 0xaa])]
    }

    #[test]
    fn the_first_fat_partition_of_an_mbr_is_found() {
        let [name, end] = fat(8);
        let linux: (usize, &[u8]) = (446, &[0, 0, 0, 0, 0x83, 0, 0, 0, 4, 0, 0, 0]);
        let boot: (usize, &[u8]) = (462, &[0x80, 0, 0, 0, 0x0c, 0, 0, 0, 8, 0, 0, 0]);
        assert_eq!(found(&card(&[SIGNATURE, linux, boot, name, end])), Ok(8 * 512));
        let why = found(&card(&[SIGNATURE, linux, boot])).unwrap_err();
        assert!(why.contains("no partition with a FAT file system"), "{why}");
        assert!(found(&card(&[SIGNATURE, linux])).is_err());
        // A partition behind the end of the card.
        let far: (usize, &[u8]) = (462, &[0, 0, 0, 0, 0x0c, 0, 0, 0, 255, 255, 255, 255]);
        assert!(found(&card(&[SIGNATURE, far])).is_err());
    }

    #[test]
    fn the_first_fat_partition_of_a_gpt_is_found() {
        let [name, end] = fat(16);
        let protective: (usize, &[u8]) = (446, &[0, 0, 0, 0, 0xee, 0, 0, 0, 1, 0, 0, 0]);
        let header: (usize, &[u8]) = (512, b"EFI PART");
        let table: (usize, &[u8]) = (512 + 72, &[2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 128, 0, 0, 0]);
        let guid: (usize, &[u8]) = (1024 + 128, &super::FAT_GUIDS[0]);
        let start: (usize, &[u8]) = (1024 + 128 + 32, &[16]);
        let parts = [SIGNATURE, protective, header, table, guid, start, name, end];
        assert_eq!(found(&card(&parts)), Ok(16 * 512));
        assert!(found(&card(&parts[..4])).is_err());
        assert!(found(&card(&parts[..2])).is_err());
    }

    #[test]
    fn a_partition_of_its_own_is_found_and_anything_else_is_named() {
        assert_eq!(found(&card(&fat(0))), Ok(0));
        for (card, said) in [
            (Vec::new(), "it is too short"),
            (card(&[]), "no partition table"),
            (card(&[(0, b"\x28\xb5\x2f\xfd")]), "compressed; unpack it first, with zstd -d"),
            (card(&[(0, b"\xfd7zXZ")]), "with xz -d"),
        ] {
            let why = found(&card).unwrap_err();
            assert!(why.contains(said), "{why}");
        }
    }
}
