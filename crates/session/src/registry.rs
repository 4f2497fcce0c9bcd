//! The games there are, one line each, with the knowledge they are searched with.
//!
//! The list is a visit of types, so that it serves everybody who wants all games: [`games`]
//! makes the catalogue of it, the laws in `tests/laws.rs` their test of every game.

use std::sync::LazyLock;

use bouton_certificate::{Certificate, Error as CertificateError, Extent, Report, Shown};
use bouton_game::{Game, Impartial, Knowledge, Notation, Unguided};
use bouton_games::chomp::Chomp;
use bouton_games::cram::{CellsAndDominoes, Cram};
use bouton_games::dawson::Dawson;
use bouton_games::grundy::Grundy;
use bouton_games::hex::{Hex, VirtualConnections};
use bouton_games::kayles::Kayles;
use bouton_games::konane::{Konane, Mobilities};
use bouton_games::nim::Nim;
use bouton_games::sprouts::{LivesAndMoves, Sprouts};

use crate::Error;
use crate::kind::{self, Colours, Nimbers};
use crate::opened::{Opened, Session};

/// Visits every game; what `auto` picks for it stands in the line.
pub fn visit(visitor: &mut impl Visitor) {
    visitor.impartial::<Nim, Unguided>("exhaustive");
    visitor.impartial::<Chomp, Unguided>("exhaustive");
    visitor.impartial::<Cram, CellsAndDominoes>("dfpn");
    visitor.impartial::<Sprouts, LivesAndMoves>("dfpn");
    visitor.coloured::<Konane, Mobilities>("dfpn");
    visitor.coloured::<Hex, VirtualConnections>("dfpn");
    visitor.impartial::<Kayles, Unguided>("exhaustive");
    visitor.impartial::<Dawson, Unguided>("exhaustive");
    visitor.impartial::<Grundy, Unguided>("exhaustive");
}

/// What to do with every game; the type says which kind it is.
pub trait Visitor {
    /// Both players have the same moves.
    fn impartial<G: Impartial + Notation, K: Knowledge<G> + Default + 'static>(
        &mut self,
        auto: &'static str,
    );

    /// The players have moves of their own.
    fn coloured<G: Game + Notation, K: Knowledge<G> + Default + 'static>(
        &mut self,
        auto: &'static str,
    );
}

/// Checks a certificate.
type Check = fn(&Certificate, Extent, &mut Look) -> Result<Report, CertificateError>;

/// What is called while a certificate is checked.
type Look<'a> = dyn FnMut(&Report) -> Result<(), CertificateError> + 'a;

/// Opens a position, given what `auto` picks.
type Open = fn(&str, &'static str) -> Result<Box<dyn Session>, Error>;

/// A game in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// What the game is, in one line.
    pub summary: &'static str,
    /// How a start position is asked for.
    pub sizes: &'static str,
    /// How positions are written.
    pub positions: &'static str,
    /// How moves are written.
    pub moves: &'static str,
    /// Small positions to try.
    pub examples: &'static [&'static str],
    /// Whether positions have nimbers.
    pub impartial: bool,
    /// The algorithm that `auto` picks.
    pub auto: &'static str,
    open: Open,
    check: Check,
    show: fn(&Certificate, &str) -> Result<Shown, CertificateError>,
}

/// The catalogue.
pub fn games() -> &'static [Entry] {
    static GAMES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let mut catalogue = Catalogue(Vec::new());
        visit(&mut catalogue);
        catalogue.0
    });
    &GAMES
}

/// Opens a position of a game: a size, or a position in the game's notation.
pub fn open(game: &str, position: &str) -> Result<Box<dyn Session>, Error> {
    let entry = games().iter().find(|entry| entry.name == game);
    let entry = entry.ok_or_else(|| Error::UnknownGame {
        name: bouton_game::excerpt(game),
        games: games()
            .iter()
            .map(|entry| entry.name)
            .collect::<Vec<_>>()
            .join(", "),
    })?;
    (entry.open)(position, entry.auto)
}

/// Checks a certificate by the rules of its game.
pub fn check(
    certificate: &Certificate,
    extent: Extent,
    look: &mut Look,
) -> Result<Report, CertificateError> {
    (proved_game(certificate)?.check)(certificate, extent, look)
}

/// What a certificate says about a position of its game.
pub fn show(certificate: &Certificate, position: &str) -> Result<Shown, CertificateError> {
    (proved_game(certificate)?.show)(certificate, position)
}

/// The game that a certificate is about.
fn proved_game(certificate: &Certificate) -> Result<&'static Entry, CertificateError> {
    let name = &certificate.statement().game;
    let entry = games().iter().find(|entry| entry.name == name);
    entry.ok_or_else(|| {
        let name = bouton_game::excerpt(name);
        CertificateError::Root(format!("it is about \"{name}\", a game this program lacks"))
    })
}

struct Catalogue(Vec<Entry>);

impl Catalogue {
    fn add<G: Notation, Kind: kind::Kind<G>>(&mut self, auto: &'static str) {
        self.0.push(Entry {
            name: G::NAME,
            summary: G::SUMMARY,
            sizes: G::SIZES,
            positions: G::POSITIONS,
            moves: G::MOVES,
            examples: G::EXAMPLES,
            impartial: Kind::HAS_NIMBERS,
            auto,
            open: |text, auto| Ok(Box::new(Opened::<G, Kind>::new(text, auto)?)),
            check: |certificate, extent, look| {
                bouton_certificate::check::<G, Kind::Parts>(certificate, extent, look)
            },
            show: bouton_certificate::show::<G, Kind::Parts>,
        });
    }
}

impl Visitor for Catalogue {
    fn impartial<G: Impartial + Notation, K: Knowledge<G> + Default + 'static>(
        &mut self,
        auto: &'static str,
    ) {
        self.add::<G, Nimbers<K>>(auto);
    }

    fn coloured<G: Game + Notation, K: Knowledge<G> + Default + 'static>(
        &mut self,
        auto: &'static str,
    ) {
        self.add::<G, Colours<K>>(auto);
    }
}
