//! Both passes: a table, and its counts.

use std::fs;
use std::path::{Path, PathBuf};

use bouton_game::{Game, Index};

use crate::Error;
use crate::checkpoint::{State, own_scratch};
use crate::error::at;
use crate::reach::{self, Ply};
use crate::table::{Cover, Frame, Subject};
use crate::values;
use crate::workers::{Look, Progress, Workers};

/// Where a table goes, and what its building may use.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The directory; made if it is not there.
    pub directory: PathBuf,
    /// How many threads work.
    pub threads: usize,
    /// Bytes that sets of positions may take.
    pub memory: usize,
}

/// Builds a table, or goes on where an earlier run was stopped. Where it is finished already,
/// there is nothing to do.
pub fn build<I: Index + Sync>(
    index: &mut I,
    subject: &Subject,
    root: &<I::Game as Game>::Position,
    plan: &Plan,
    look: &mut Look,
) -> Result<Cover, Error> {
    match Cover::read(&plan.directory) {
        Ok(cover) if cover.subject == *subject => return Ok(cover),
        Ok(cover) => {
            let Subject { game, root } = cover.subject;
            return Err(Error::Other {
                path: plan.directory.display().to_string(),
                what: format!("{game} {root}"),
            });
        }
        Err(Error::Unfinished { .. }) => {}
        Err(error) => return Err(error),
    }
    fs::create_dir_all(&plan.directory).map_err(at(&plan.directory))?;
    let mut workers = workers(plan, look);
    let scratch = own_scratch(&plan.directory);
    let frame = Frame::new(&plan.directory, &scratch, subject, index);
    values::solve(index, &frame, plan.memory, &mut workers)?;
    let root = index.place(root).expect("an index has its root");
    State::claim(&frame)?;
    let plies = reach::count(index, &frame, root, plan.memory, &mut workers)?;
    let cover = Cover::new(&frame, subject, index, plies)?;
    cover.write(&plan.directory)?;
    State::clean(&frame)?;
    Ok(cover)
}

/// Counts the positions of a finished table anew; sheets that do not fit into memory go to
/// `scratch`, a directory that is there and empty.
pub fn count<I: Index + Sync>(
    index: &mut I,
    subject: &Subject,
    root: &<I::Game as Game>::Position,
    plan: &Plan,
    scratch: &Path,
    look: &mut Look,
) -> Result<Vec<Ply>, Error> {
    let frame = Frame::new(&plan.directory, scratch, subject, index);
    let root = index.place(root).expect("an index has its root");
    reach::count(index, &frame, root, plan.memory, &mut workers(plan, look))
}

fn workers<'a, 'l>(plan: &Plan, look: &'a mut Look<'l>) -> Workers<'a, 'l> {
    Workers {
        threads: plan.threads.max(1),
        progress: Progress::default(),
        look,
    }
}
