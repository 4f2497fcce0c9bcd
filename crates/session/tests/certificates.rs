//! Certificates: what is answered is proved, and what is not true is not.

use std::io::Cursor;

use bouton_session::algorithms::Algorithm;
use bouton_session::certificate::{Claim, Error, Evidence, Loss, Report};
use bouton_session::registry::games;
use bouton_session::{Certificate, Extent, Proof, Request, Verdict, Watch, check, open};

/// A certificate of the answer to a request, as it would be in a file.
fn certified(game: &str, position: &str, request: Request) -> Vec<u8> {
    written(proof(game, position, request))
}

fn written(proof: Proof) -> Vec<u8> {
    let mut bytes = Vec::new();
    proof.write(&mut bytes).expect("memory can be written to");
    bytes
}

/// A proof of the answer to a request.
fn proof(game: &str, position: &str, request: Request) -> Proof {
    let request = Request {
        certificate: true,
        ..request
    };
    let mut session = open(game, position).unwrap_or_else(|error| panic!("{error}"));
    let mut go_on = |_: &_| Ok(());
    let answer = session.solve(&request, &mut Watch::new(&mut go_on));
    let answer = answer.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(answer.reason, None);
    let proof = answer.proof.expect("it was asked for");
    let claimed = match proof.statement.claim {
        Claim::Loss => (Verdict::Loss, None),
        Claim::Win => (Verdict::Win, None),
        Claim::Nimber(0) => (Verdict::Loss, Some(0)),
        Claim::Nimber(nimber) => (Verdict::Win, Some(nimber)),
    };
    assert_eq!((answer.outcome, answer.nimber), claimed);
    proof
}

/// The couples of a proof.
fn couples(proof: &mut Proof) -> &mut Vec<(Vec<u8>, u32)> {
    match &mut proof.evidence {
        Evidence::Couples(couples) => couples,
        Evidence::Steps(_) => panic!("there are steps"),
    }
}

/// The steps of a proof.
fn steps(proof: &mut Proof) -> &mut Vec<Loss> {
    match &mut proof.evidence {
        Evidence::Steps(steps) => steps,
        Evidence::Couples(_) => panic!("there are couples"),
    }
}

fn verify(bytes: Vec<u8>) -> Result<(Certificate, Report), Error> {
    let certificate = Certificate::read(Cursor::new(bytes))?;
    let report = check(&certificate, Extent::All, &mut |_| Ok(()))?;
    Ok((certificate, report))
}

fn nimber() -> Request {
    Request {
        nimber: true,
        ..Request::default()
    }
}

/// Every game and every algorithm, outcomes and nimbers.
#[test]
fn answers_are_certified() {
    for game in games() {
        let algorithms = Algorithm::ALL
            .iter()
            .filter(|algorithm| game.impartial || algorithm.serves_colours());
        for algorithm in algorithms {
            for example in game.examples {
                let requests = [false, true].map(|nimber| Request {
                    algorithm: algorithm.name.to_owned(),
                    nimber: nimber && game.impartial,
                    ..Request::default()
                });
                for request in requests {
                    let bytes = certified(game.name, example, request);
                    let (certificate, report) = verify(bytes)
                        .unwrap_or_else(|error| panic!("{} {example}: {error}", game.name));
                    assert_eq!(report.steps, certificate.couples());
                }
            }
        }
    }
}

/// A table that forgets nearly everything makes gathering slow, not wrong.
#[test]
fn what_a_table_forgot_is_searched_again() {
    for (game, position) in [
        ("cram", "4x5"),
        ("sprouts", "5"),
        ("konane", "4x5"),
        ("hex", "3x3"),
    ] {
        let request = Request {
            memory: 4_096,
            algorithm: "dfpn".to_owned(),
            ..Request::default()
        };
        let bytes = certified(game, position, request);
        verify(bytes).unwrap_or_else(|error| panic!("{game} {position}: {error}"));
    }
}

/// Certificates of some games, of very few couples and of many.
fn small_ones() -> Vec<Vec<u8>> {
    let outcome = Request::default;
    vec![
        certified("nim", "3,4,5", nimber()),
        certified("cram", "3x4", nimber()),
        certified("cram", "4x4", outcome()),
        certified("sprouts", "4", outcome()),
        certified("konane", "4x4", outcome()),
        certified("hex", "3x3", outcome()),
        certified("hex", "3x3 a1", outcome()),
        certified("chomp", "3x3", nimber()),
    ]
}

/// The same body with a seal that fits it.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len() - 32;
    let seal = blake3::hash(&bytes[..body]);
    bytes[body..].copy_from_slice(seal.as_bytes());
    bytes
}

/// Whether what a certificate claims is true, by a search.
fn is_true(certificate: &Certificate) -> bool {
    let statement = certificate.statement();
    let mut session = open(&statement.game, &statement.root).expect("it was verified");
    let wants_nimber = matches!(statement.claim, Claim::Nimber(_));
    let request = Request {
        nimber: wants_nimber,
        ..Request::default()
    };
    let mut go_on = |_: &_| Ok(());
    let answer = session.solve(&request, &mut Watch::new(&mut go_on));
    let answer = answer.expect("an answer");
    match statement.claim {
        Claim::Loss => answer.outcome == Verdict::Loss,
        Claim::Win => answer.outcome == Verdict::Win,
        Claim::Nimber(nimber) => answer.nimber == Some(nimber),
    }
}

/// Every bit of every byte, with the old seal and with one that fits.
#[test]
fn a_changed_certificate_proves_nothing_false() {
    let (mut refused, mut accepted) = (0, 0);
    for bytes in small_ones() {
        for index in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[index] ^= 1 << bit;
                assert!(verify(changed.clone()).is_err(), "the seal does not fit");
                if index >= bytes.len() - 32 {
                    continue;
                }
                match verify(sealed(changed)) {
                    Err(_) => refused += 1,
                    Ok((certificate, _)) => {
                        assert!(is_true(&certificate), "{:?}", certificate.statement());
                        accepted += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 100 * accepted, "{refused} {accepted}");
}

/// Random changes of larger ones: bytes set, inserted, removed, swapped.
#[test]
fn ten_thousand_changes_of_large_certificates() {
    change_often(&certified("konane", "5x6", Request::default()));
    change_often(&certified("hex", "4x4 d1", Request::default()));
}

fn change_often(bytes: &[u8]) {
    let mut dice = bouton_search::dice::Dice::of(&"mutations", 1);
    let mut refused = 0;
    for _ in 0..10_000 {
        let mut changed = bytes.to_vec();
        for _ in 0..=dice.roll() % 3 {
            let body = changed.len() - 32;
            let at = (dice.roll() % body as u64) as usize;
            let other = (dice.roll() % body as u64) as usize;
            match dice.roll() % 4 {
                0 => changed[at] = dice.roll() as u8,
                1 => changed.insert(at, dice.roll() as u8),
                2 => drop(changed.remove(at)),
                _ => changed.swap(at, other),
            }
        }
        match verify(sealed(changed)) {
            Err(_) => refused += 1,
            Ok((certificate, _)) => assert!(is_true(&certificate)),
        }
    }
    assert!(refused > 5_000, "{refused}");
}

/// One couple less, one nimber other: the checker says which step fails.
#[test]
fn a_missing_or_wrong_step_is_named() {
    let mut proof = proof("cram", "4x4", Request::default());
    let refused = |proof: &Proof| {
        let checked = verify(written(proof.clone()));
        matches!(checked, Err(Error::Step { .. } | Error::Claim(_)))
    };
    assert!(!refused(&proof));
    for index in 0..couples(&mut proof).len() {
        let mut less = proof.clone();
        couples(&mut less).remove(index);
        assert!(refused(&less));
        let mut wrong = proof.clone();
        couples(&mut wrong)[index].1 += 1;
        assert!(refused(&wrong));
    }
}

/// However large a heap is said to be, a check takes no more than there are options.
#[test]
fn a_heap_beyond_all_options_is_refused_at_once() {
    let mut proof = proof("nim", "1", nimber());
    couples(&mut proof)[0].1 = u32::MAX;
    proof.statement.claim = Claim::Nimber(u32::MAX);
    let Err(Error::Step { why, .. }) = verify(written(proof)) else {
        panic!("a heap without answers was accepted");
    };
    assert_eq!(why, "no answer to taking the heap down to 1");
}

/// In a proof of steps hardly anything is too much: not a step that moves are met by, nor a cell
/// that the winner keeps.
#[test]
fn parts_of_steps_are_needed() {
    let mut proof = proof("hex", "4x4 a1", Request::default());
    let refused = |proof: &Proof| match verify(written(proof.clone())) {
        Err(Error::Step { .. } | Error::Claim(_)) => true,
        Err(error) => panic!("{error}"),
        Ok(_) => false,
    };
    assert!(!refused(&proof));
    let (mut tried, mut wrong) = (0, 0);
    for index in 0..steps(&mut proof).len() {
        for met_by in 0..steps(&mut proof)[index].met_by.len() {
            let mut less = proof.clone();
            steps(&mut less)[index].met_by.remove(met_by);
            tried += 1;
            wrong += u32::from(refused(&less));
        }
        // Black is to move in all of them; the black stones come first, in two bytes.
        for cell in 0..16 {
            let mut given = proof.clone();
            let position = &mut steps(&mut given)[index].position;
            let (byte, bit) = (cell / 8, 1 << (cell % 8));
            if position[byte] & bit == 0 {
                position[byte] |= bit;
                position[2 + byte] &= !bit;
                tried += 1;
                wrong += u32::from(refused(&given));
            }
        }
    }
    assert!(tried > 100 && wrong * 10 > tried * 9, "{wrong} of {tried}");
    let mut without_the_last = proof.clone();
    steps(&mut without_the_last).pop();
    assert!(refused(&without_the_last));
    assert_eq!(proof.statement.claim, Claim::Win);
    proof.statement.claim = Claim::Loss;
    assert!(refused(&proof));
}

/// All openings of small boards, whoever wins them, and one of a board that plain play would
/// take too long for.
#[test]
fn openings_of_hex_are_certified() {
    let (mut black, mut white) = (0, 0);
    let openings = |size: u8| {
        let cells = (0..size).flat_map(move |row| (0..size).map(move |column| (row, column)));
        // Half a turn makes the others.
        let cells = cells.take((usize::from(size).pow(2)).div_ceil(2));
        cells.map(move |(row, column)| {
            let cell = format!("{}{}", char::from(b'a' + column), row + 1);
            format!("{size}x{size} {cell}")
        })
    };
    let six = ["6x6 e1".to_owned()];
    for opening in openings(4).chain(openings(5)).chain(six) {
        let (certificate, report) = verify(certified("hex", &opening, Request::default()))
            .unwrap_or_else(|error| panic!("{opening}: {error}"));
        assert_eq!(report.steps, certificate.couples());
        match certificate.statement().claim {
            Claim::Win => white += 1,
            _ => black += 1,
        }
    }
    // Black wins 2 of the 8, 7 of the 13, and not the one of 6x6.
    assert_eq!((black, white), (9, 13));
}

/// A position that is over needs no step.
#[test]
fn a_game_that_is_over_is_certified() {
    for position in ["x.|x. b", "x.|x. w", "oo|x. b", "oo|x. w"] {
        let (certificate, _) = verify(certified("hex", position, Request::default()))
            .unwrap_or_else(|error| panic!("{position}: {error}"));
        assert_eq!(certificate.couples(), 0);
    }
}

/// A turned board is the same game, but not the position that a lookup would find.
#[test]
fn positions_have_to_be_canonical() {
    let mut proof = proof("konane", "4x4", Request::default());
    let turned = couples(&mut proof).iter().find_map(|(packed, nimber)| {
        let stones = u16::from_le_bytes([packed[0], packed[1]]).reverse_bits();
        let [low, high] = stones.to_le_bytes();
        let turned = vec![low, high, packed[2]];
        (turned != *packed).then_some((turned, *nimber))
    });
    couples(&mut proof).push(turned.expect("not all look alike when turned"));
    let Err(Error::Step { why, .. }) = verify(written(proof)) else {
        panic!("a position that is not canonical was accepted");
    };
    assert!(why.contains("no canonical position"), "{why}");
}

#[test]
fn foreign_and_later_files_are_told_apart() {
    let bytes = certified("nim", "1,2", nimber());
    assert!(matches!(verify(b"hello".to_vec()), Err(Error::Foreign)));
    assert!(matches!(verify(Vec::new()), Err(Error::Foreign)));
    let mut later = bytes.clone();
    later[7] = 3;
    assert!(matches!(verify(later), Err(Error::Version(3))));
    for length in 8..bytes.len() {
        let cut = verify(bytes[..length].to_vec());
        assert!(matches!(cut, Err(Error::Damaged { .. })), "{length}");
    }
}

/// A sample looks at about as many steps as asked for.
#[test]
fn a_sample_is_a_part() {
    let bytes = certified("konane", "5x6", Request::default());
    let certificate = Certificate::read(Cursor::new(bytes)).expect("a certificate");
    let report = check(&certificate, Extent::Sample(100), &mut |_| Ok(()));
    let steps = report.expect("it is right").steps;
    assert!((50..200).contains(&steps), "{steps}");
    assert!(certificate.couples() > 400);
}
