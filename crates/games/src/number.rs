//! Numbers in positions and sizes.

/// Reads a number of digits only. One that no `usize` holds is as good as the largest, since it
/// is beyond every limit.
pub(crate) fn read_number(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(usize::MAX))
}
