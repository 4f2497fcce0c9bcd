//! Which parts of the knowledge are used: each can be switched off, to see what it gives.

/// A switch for each part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Dead and captured cells get stones.
    pub fill_in: bool,
    /// Connections of the sides decide.
    pub connections: bool,
    /// Connections may share what their ends capture.
    pub captured: bool,
    /// Edge templates are connections.
    pub templates: bool,
    /// Moves that do not meet the opponent's threats are dropped.
    pub must_play: bool,
    /// Moves that leave less than others are dropped.
    pub domination: bool,
    /// A proof that a move loses serves for others.
    pub proof_sets: bool,
    /// A proof that a position is won serves for others in the whole search.
    pub recall: bool,
    /// Positions that differ in stones only are searched once.
    pub alike: bool,
    /// Moves through which much current flows come first.
    pub resistance: bool,
    /// A search attends to the first moves first.
    pub widening: bool,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            fill_in: true,
            connections: true,
            captured: true,
            templates: true,
            must_play: true,
            domination: true,
            proof_sets: true,
            recall: true,
            alike: true,
            resistance: true,
            widening: true,
        }
    }
}

impl Parts {
    /// What they are called.
    pub(super) const NAMES: [&str; 11] = [
        "fill-in",
        "connections",
        "captured",
        "templates",
        "must-play",
        "domination",
        "proof-sets",
        "recall",
        "alike",
        "resistance",
        "widening",
    ];

    /// Switches off a part by the place of its name, if there is one there.
    pub(super) fn leave_out(&mut self, place: usize) {
        let parts: [&mut bool; Self::NAMES.len()] = [
            &mut self.fill_in,
            &mut self.connections,
            &mut self.captured,
            &mut self.templates,
            &mut self.must_play,
            &mut self.domination,
            &mut self.proof_sets,
            &mut self.recall,
            &mut self.alike,
            &mut self.resistance,
            &mut self.widening,
        ];
        if let Some(part) = parts.into_iter().nth(place) {
            *part = false;
        }
    }
}
