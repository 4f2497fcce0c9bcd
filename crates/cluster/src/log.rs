//! All key results in the order in which they came: it only grows, and each has a number.
//!
//! As bytes the log is one record after the other, so that it can be appended to a file. A file
//! whose end was cut off loses the last records, and nothing else.

use bouton_session::jobs::KeyResult;
use bouton_session::jobs::bytes::{Reader, Writer};

use crate::protocol::{GroupId, read_result, write_result};

/// The log.
#[derive(Default)]
pub struct Log {
    entries: Vec<Entry>,
}

struct Entry {
    result: KeyResult,
    /// Who found it, if that is still known: it need not be told.
    origin: Option<GroupId>,
}

impl Log {
    /// The log of an earlier run; what is not whole at the end is left out.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut reader = Reader(bytes);
        let results = std::iter::from_fn(|| read_result(&mut reader));
        let entries = results.map(|result| Entry {
            result,
            origin: None,
        });
        Self {
            entries: entries.collect(),
        }
    }

    /// The bytes of some records.
    pub fn bytes_of(results: &[KeyResult]) -> Vec<u8> {
        let mut writer = Writer::default();
        for result in results {
            write_result(&mut writer, result);
        }
        writer.0
    }

    /// How many there are: the number of the next.
    pub fn len(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Appends what a group has found, or what follows from what groups have found.
    pub fn append(&mut self, results: &[KeyResult], origin: Option<GroupId>) {
        let entries = results.iter().cloned();
        self.entries
            .extend(entries.map(|result| Entry { result, origin }));
    }

    /// All of them.
    pub fn results(&self) -> impl Iterator<Item = &KeyResult> {
        self.entries.iter().map(|entry| &entry.result)
    }

    /// What a group lacks from a number on, looking at so many; and the number after those.
    pub fn batch(&self, first: u64, most: usize, group: GroupId) -> (Vec<KeyResult>, u64) {
        let start = usize::try_from(first)
            .map_or(self.entries.len(), |first| first.min(self.entries.len()));
        let end = start.saturating_add(most).min(self.entries.len());
        let others = self.entries[start..end].iter();
        let others = others.filter(|entry| entry.origin != Some(group));
        let results = others.map(|entry| entry.result.clone()).collect();
        (results, end as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(name: &[u8]) -> KeyResult {
        KeyResult {
            position: name.into(),
            nimber: 1,
        }
    }

    #[test]
    fn a_group_is_told_what_others_have_found() {
        let mut log = Log::default();
        log.append(&[result(b"a")], Some(1));
        log.append(&[result(b"b"), result(b"c")], Some(2));
        log.append(&[result(b"d")], None);
        assert_eq!(log.batch(0, 3, 2), (vec![result(b"a")], 3));
        assert_eq!(log.batch(3, 3, 2), (vec![result(b"d")], 4));
        assert_eq!(log.batch(9, 3, 2), (vec![], 4));
    }

    #[test]
    fn a_log_whose_end_was_cut_off_loses_the_last_records() {
        let results = [result(b"a"), result(b"bc")];
        let bytes = Log::bytes_of(&results);
        let whole = Log::from_bytes(&bytes);
        assert!(whole.results().eq(&results));
        let cut = Log::from_bytes(&bytes[..bytes.len() - 1]);
        assert!(cut.results().eq(&results[..1]));
    }
}
