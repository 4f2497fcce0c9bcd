//! What every fuzz target checks: a text is a position, which can then be written, read back,
//! and moved in; or it is refused in one line that names the game.

/// Tries a text as a position of a game, and its last word as a move.
pub fn position(game: &str, text: &str) {
    let (before, after) = text.rsplit_once('\n').unwrap_or((text, ""));
    match bouton_session::open(game, before) {
        Ok(mut session) => {
            let written = session.position();
            let again = bouton_session::open(game, &written).expect("what we wrote");
            assert_eq!(again.position(), written);
            if session.children().is_ok()
                && let Err(error) = session.play(after)
            {
                assert!(error.to_string().starts_with(game));
            }
        }
        Err(error) => {
            let error = error.to_string();
            assert!(error.starts_with(game), "{error}");
            assert!(!error.contains(char::is_control), "{error:?}");
        }
    }
}
