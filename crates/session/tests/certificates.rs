//! Certificates: what is answered is proved, and what is not true is not.

use std::io::Cursor;

use bouton_session::algorithms::Algorithm;
use bouton_session::certificate::{Claim, Error, Report};
use bouton_session::registry::games;
use bouton_session::{Certificate, Extent, Request, Verdict, Watch, check, open};

/// A certificate of the answer to a request, as it would be in a file.
fn certified(game: &str, position: &str, request: Request) -> Vec<u8> {
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
    let mut bytes = Vec::new();
    proof.write(&mut bytes).expect("memory can be written to");
    bytes
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

/// Random changes of a larger one: bytes set, inserted, removed, swapped.
#[test]
fn ten_thousand_changes_of_a_large_certificate() {
    let bytes = certified("konane", "5x6", Request::default());
    let mut dice = bouton_search::dice::Dice::of(&"mutations", 1);
    let mut refused = 0;
    for _ in 0..10_000 {
        let mut changed = bytes.clone();
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
    let mut session = open("cram", "4x4").expect("a position");
    let request = Request {
        certificate: true,
        ..Request::default()
    };
    let mut go_on = |_: &_| Ok(());
    let answer = session.solve(&request, &mut Watch::new(&mut go_on));
    let proof = answer.expect("an answer").proof.expect("a proof");
    let written = |proof: &bouton_session::Proof| {
        let mut bytes = Vec::new();
        proof.clone().write(&mut bytes).expect("memory");
        verify(bytes)
    };
    assert!(written(&proof).is_ok());
    for index in 0..proof.couples.len() {
        let mut less = proof.clone();
        less.couples.remove(index);
        assert!(matches!(
            written(&less),
            Err(Error::Step { .. } | Error::Claim(_))
        ));
        let mut wrong = proof.clone();
        wrong.couples[index].1 += 1;
        assert!(matches!(
            written(&wrong),
            Err(Error::Step { .. } | Error::Claim(_))
        ));
    }
}

/// A turned board is the same game, but not the position that a lookup would find.
#[test]
fn positions_have_to_be_canonical() {
    let mut session = open("konane", "4x4").expect("a position");
    let request = Request {
        certificate: true,
        ..Request::default()
    };
    let mut go_on = |_: &_| Ok(());
    let answer = session.solve(&request, &mut Watch::new(&mut go_on));
    let mut proof = answer.expect("an answer").proof.expect("a proof");
    let turned = proof.couples.iter().find_map(|(packed, nimber)| {
        let stones = u16::from_le_bytes([packed[0], packed[1]]).reverse_bits();
        let [low, high] = stones.to_le_bytes();
        let turned = vec![low, high, packed[2]];
        (turned != *packed).then_some((turned, *nimber))
    });
    proof
        .couples
        .push(turned.expect("not all look alike when turned"));
    let mut bytes = Vec::new();
    proof.write(&mut bytes).expect("memory can be written to");
    let Err(Error::Step { why, .. }) = verify(bytes) else {
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
    later[7] = 2;
    assert!(matches!(verify(later), Err(Error::Version(2))));
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
