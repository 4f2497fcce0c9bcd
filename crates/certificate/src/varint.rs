//! Numbers in as few bytes as they need: 7 bits a byte, the lowest first.

/// Adds a number.
pub(crate) fn push(mut number: u32, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

/// The number at the beginning of some bytes, and the rest; nothing if it is too long, or
/// longer than it need be.
pub(crate) fn read(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let mut number = 0u64;
    for (index, &byte) in bytes.iter().enumerate().take(5) {
        number |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            let shortest = index == 0 || byte != 0;
            let number = u32::try_from(number).ok().filter(|_| shortest)?;
            return Some((number, &bytes[index + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for number in [0, 1, 127, 128, 300, 16_383, 16_384, u32::MAX] {
            let mut bytes = Vec::new();
            push(number, &mut bytes);
            bytes.push(7);
            assert_eq!(read(&bytes), Some((number, &[7][..])));
        }
    }

    #[test]
    fn a_number_has_one_form() {
        assert_eq!(read(&[0x80, 0x00]), None, "longer than it need be");
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0x1f]), None, "too large");
        assert_eq!(read(&[0x80]), None, "cut off");
        assert_eq!(read(&[]), None);
    }
}
