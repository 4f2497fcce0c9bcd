//! What a store costs: `measure FOLDER FACTS BATCH [MEMORY_MIB]`. The folder must be new.

use std::path::Path;
use std::time::Instant;

use bouton_store::{Fact, Options, Store};
use rustix::time::{ClockId, clock_gettime};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let [dir, facts, batch, rest @ ..] = &args[..] else {
        return Err("usage: measure FOLDER FACTS BATCH [MEMORY_MIB]".into());
    };
    let (count, batch): (u64, u64) = (facts.parse()?, batch.parse()?);
    let mut options = Options::default();
    if let [memory] = rest {
        options.memory = memory.parse::<usize>()? << 20;
    }
    let per = |seconds: f64| seconds * 1e6 / count as f64;

    let store = Store::open_with(dir, &options)?;
    let game = store.game("cram", "8x8")?;
    let (start, cpu) = (Instant::now(), cpu());
    for i in 0..count {
        game.put(&position(i), Fact::Nimber((i % 7) as u32))?;
        if (i + 1) % batch == 0 {
            game.commit()?;
        }
    }
    game.commit()?;
    println!(
        "insert: {:.2} us CPU, {:.2} us a fact; peak {} MiB",
        per(self::cpu() - cpu),
        per(start.elapsed().as_secs_f64()),
        peak()
    );
    drop((store, game));

    let start = Instant::now();
    let store = Store::open_with(dir, &options)?;
    println!("open: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let game = store.game("cram", "8x8")?;
    let start = Instant::now();
    let hits = (0..count).filter(|&i| matches!(game.get(&position(i * 7919 % count)), Ok(Some(_))));
    assert_eq!(hits.count() as u64, count);
    println!("get, known: {:.2} us", per(start.elapsed().as_secs_f64()));
    let start = Instant::now();
    let hits = (count..2 * count).filter(|&i| matches!(game.get(&position(i)), Ok(Some(_))));
    assert_eq!(hits.count(), 0);
    println!("get, unknown: {:.2} us", per(start.elapsed().as_secs_f64()));
    let start = Instant::now();
    assert_eq!(store.verify()?, count);
    println!(
        "verify: {:.2} us a fact",
        per(start.elapsed().as_secs_f64())
    );
    let bytes = [
        (
            "tables",
            size(&Path::new(dir).join("data").join("keyspaces"))?,
        ),
        ("all", size(Path::new(dir))?),
    ];
    for (name, bytes) in bytes {
        println!(
            "disk, {name}: {:.1} bytes a fact",
            bytes as f64 / count as f64
        );
    }
    println!("peak at last: {} MiB", peak());
    Ok(())
}

fn position(i: u64) -> Vec<u8> {
    let word = |part: u64| {
        let z = (3 * i + part + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (z ^ (z >> 27)).to_be_bytes()
    };
    [word(0), word(1), word(2)].concat()
}

/// CPU seconds of all threads.
fn cpu() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The most memory so far, in MiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kib = line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

/// Bytes of all files below a folder.
fn size(dir: &Path) -> std::io::Result<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        sum += if metadata.is_dir() {
            size(&entry.path())?
        } else {
            metadata.len()
        };
    }
    Ok(sum)
}
