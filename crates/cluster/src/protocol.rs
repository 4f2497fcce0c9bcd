//! What a master and its groups tell each other.
//!
//! Every message says where its sender stands, whatever else it says: a letter, which key results
//! of the log the group has and which of its own it offers; an order, which of those the master
//! has. So a message that is lost is made up for by the next one.

use bouton_session::jobs::bytes::{Reader, Writer};
use bouton_session::jobs::{Branches, KeyResult, Numbers, Thresholds};

/// Nanoseconds since some moment.
pub type Time = u64;

/// A second.
pub const SECOND: Time = 1_000_000_000;

/// A group, from its start to its end: one that starts anew is another.
pub type GroupId = u64;

/// A job: never given twice, not even by a master that was restarted, for the upper bits say
/// which of them gave it.
pub type JobId = u64;

/// Where the number of a master begins in the number of a job.
pub const EPOCH_SHIFT: u32 = 40;

/// From a group to the master.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Who writes.
    pub group: GroupId,
    /// How many workers it has.
    pub seats: u64,
    /// The jobs that its workers are at.
    pub running: Vec<JobId>,
    /// How far it has the log: all key results before this one.
    pub known: u64,
    /// The number of the first key result below, counted from the group's start.
    pub first: u64,
    /// Key results that are not acknowledged yet.
    pub results: Vec<KeyResult>,
    /// What happened.
    pub news: News,
}

/// What happened in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Nothing: it is there.
    None,
    /// The leaf of a job has these numbers by now.
    Update {
        /// The job.
        job: JobId,
        /// The numbers.
        numbers: Numbers,
    },
    /// A job is done.
    Done {
        /// The job.
        job: JobId,
        /// The leaf's numbers.
        numbers: Numbers,
        /// The leaf's branches, if it is not solved and was much work.
        branches: Branches,
        /// Expansions it took.
        expansions: u64,
    },
}

/// From the master to a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// How many of the group's key results are in the log.
    pub received: u64,
    /// The key results below are those of the log from here ...
    pub first: u64,
    /// ... to before here, but for those that the group has found itself.
    pub end: u64,
    /// Key results.
    pub results: Vec<KeyResult>,
    /// What to do.
    pub what: What,
}

/// What a group is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Go on.
    Nothing,
    /// Search below a leaf.
    Job {
        /// The job.
        job: JobId,
        /// The leaf.
        leaf: Vec<u8>,
        /// How far to go: beyond that others are worth more.
        thresholds: Thresholds,
        /// How many expansions it may take.
        iterations: u64,
        /// How many went into the leaf before.
        spent: u64,
    },
    /// Give a job up: nobody needs it any more.
    Cancel {
        /// The job.
        job: JobId,
    },
    /// All is done.
    Stop,
}

impl Letter {
    /// The letter as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        for number in [self.group, self.seats, self.known, self.first] {
            writer.number(number);
        }
        writer.list(&self.running, |writer, job| writer.number(*job));
        writer.list(&self.results, write_result);
        match &self.news {
            News::None => writer.number(0),
            News::Update { job, numbers } => {
                writer.number(1);
                writer.number(*job);
                writer.numbers(*numbers);
            }
            News::Done {
                job,
                numbers,
                branches,
                expansions,
            } => {
                writer.number(2);
                writer.number(*job);
                writer.numbers(*numbers);
                writer.list(&branches.open, write_branch);
                writer.list(&branches.questions, write_branch);
                writer.number(*expansions);
            }
        }
        writer.0
    }

    /// The letter with these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let letter = Self {
            group: reader.number()?,
            seats: reader.number()?,
            known: reader.number()?,
            first: reader.number()?,
            running: reader.list(Reader::number)?,
            results: reader.list(read_result)?,
            news: match reader.number()? {
                0 => News::None,
                1 => News::Update {
                    job: reader.number()?,
                    numbers: reader.numbers()?,
                },
                2 => News::Done {
                    job: reader.number()?,
                    numbers: reader.numbers()?,
                    branches: Branches {
                        open: reader.list(read_branch)?,
                        questions: reader.list(read_branch)?,
                    },
                    expansions: reader.number()?,
                },
                _ => return None,
            },
        };
        reader.end()?;
        Some(letter)
    }
}

impl Order {
    /// The order as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        for number in [self.received, self.first, self.end] {
            writer.number(number);
        }
        writer.list(&self.results, write_result);
        match &self.what {
            What::Nothing => writer.number(0),
            What::Job {
                job,
                leaf,
                thresholds,
                iterations,
                spent,
            } => {
                writer.number(1);
                writer.number(*job);
                writer.text(leaf);
                for number in thresholds.to_numbers() {
                    writer.number(number);
                }
                writer.number(*iterations);
                writer.number(*spent);
            }
            What::Cancel { job } => {
                writer.number(2);
                writer.number(*job);
            }
            What::Stop => writer.number(3),
        }
        writer.0
    }

    /// The order with these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let order = Self {
            received: reader.number()?,
            first: reader.number()?,
            end: reader.number()?,
            results: reader.list(read_result)?,
            what: match reader.number()? {
                0 => What::Nothing,
                1 => What::Job {
                    job: reader.number()?,
                    leaf: reader.text()?.to_vec(),
                    thresholds: read_thresholds(&mut reader)?,
                    iterations: reader.number()?,
                    spent: reader.number()?,
                },
                2 => What::Cancel {
                    job: reader.number()?,
                },
                3 => What::Stop,
                _ => return None,
            },
        };
        reader.end()?;
        Some(order)
    }
}

/// Appends a key result.
pub(crate) fn write_result(writer: &mut Writer, result: &KeyResult) {
    writer.text(&result.position);
    writer.number(u64::from(result.nimber));
}

/// Takes a key result.
pub(crate) fn read_result(reader: &mut Reader) -> Option<KeyResult> {
    Some(KeyResult {
        position: reader.text()?.into(),
        nimber: u32::try_from(reader.number()?).ok()?,
    })
}

fn read_thresholds(reader: &mut Reader) -> Option<Thresholds> {
    let mut numbers = [0; 5];
    for number in &mut numbers {
        *number = reader.number()?;
    }
    Some(Thresholds::from_numbers(numbers))
}

fn write_branch(writer: &mut Writer, (bytes, numbers): &(Vec<u8>, Numbers)) {
    writer.text(bytes);
    writer.numbers(*numbers);
}

fn read_branch(reader: &mut Reader) -> Option<(Vec<u8>, Numbers)> {
    Some((reader.text()?.to_vec(), reader.numbers()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter() -> Letter {
        Letter {
            group: 7,
            seats: 2,
            running: vec![9, 10],
            known: 30,
            first: 4,
            results: vec![KeyResult {
                position: (*b"abc").into(),
                nimber: 3,
            }],
            news: News::Done {
                job: 9,
                numbers: Numbers::open(3, 4),
                branches: Branches {
                    open: vec![(b"leaf".to_vec(), Numbers::UNIT)],
                    questions: vec![(b"part".to_vec(), Numbers::LOSS)],
                },
                expansions: 12,
            },
        }
    }

    #[test]
    fn messages_come_back_from_their_bytes() {
        let letter = letter();
        assert_eq!(Letter::from_bytes(&letter.to_bytes()), Some(letter));
        let order = Order {
            received: 5,
            first: 1,
            end: 3,
            results: Vec::new(),
            what: What::Job {
                job: 8,
                leaf: b"leaf".to_vec(),
                thresholds: Thresholds::NONE,
                iterations: 1000,
                spent: 50,
            },
        };
        assert_eq!(Order::from_bytes(&order.to_bytes()), Some(order));
    }

    /// Bytes that are cut or longer are no message, and nothing panics whatever is changed.
    #[test]
    fn damaged_bytes_are_no_message() {
        let bytes = letter().to_bytes();
        for length in 0..bytes.len() {
            assert_eq!(Letter::from_bytes(&bytes[..length]), None);
        }
        assert_eq!(Letter::from_bytes(&[&*bytes, &[0]].concat()), None);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            let _ = (Letter::from_bytes(&damaged), Order::from_bytes(&damaged));
        }
    }
}
