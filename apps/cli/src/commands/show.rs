//! `bouton show`: plays a proof.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Context;
use bouton_session::certificate::{Shown, Statement, Step, Verdict};
use bouton_session::{Certificate, open, show};
use clap::Args;
use serde_json::{Value, json};

use crate::Report;

/// What a certificate says about a position: the winning move, or the answer to every move
#[derive(Args)]
#[command(after_help = "\
Examples:
  bouton solve konane 5x5 --certificate konane.bouton
  bouton show konane.bouton
  bouton show konane.bouton \"xoxox|oxoxo|xo.ox|oxoxo|xoxox w\"

What it shows is only as good as the certificate: verify that with `bouton check`.")]
pub(crate) struct Show {
    /// The certificate
    file: PathBuf,
    /// A position of its game; without one, what it is about
    position: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        let name = self.file.display();
        let certificate = Certificate::open(&self.file).with_context(|| format!("{name}"))?;
        let Statement { game, root, .. } = certificate.statement();
        if let Some(position) = &self.position {
            open(game, position)?;
        }
        let position = self.position.as_ref().unwrap_or(root);
        let shown = show(&certificate, position).with_context(|| format!("{name}"))?;
        Ok(Report::complete(if self.json {
            in_json(&shown).to_string() + "\n"
        } else {
            in_words(&shown)
        }))
    }
}

fn in_words(shown: &Shown) -> String {
    let mut text = format!("{}: ", shown.position);
    // Writing to a string cannot fail.
    let _ = match &shown.verdict {
        Verdict::Silent => writeln!(text, "the certificate says nothing about it"),
        Verdict::Win(Step { mv, position }) => {
            writeln!(text, "win for the player to move: {mv} (then {position})")
        }
        Verdict::Loss(lines) => {
            let _ = writeln!(text, "loss for the player to move");
            lines.iter().try_for_each(|(step, answer)| match answer {
                Some(answer) => writeln!(text, "  {} is answered by {}", step.mv, answer.mv),
                None => writeln!(
                    text,
                    "  {} is answered, but the answer is not here",
                    step.mv
                ),
            })
        }
    };
    text
}

fn in_json(shown: &Shown) -> Value {
    let step = |step: &Step| json!({ "move": step.mv, "position": step.position });
    let mut object = json!({ "position": shown.position });
    match &shown.verdict {
        Verdict::Silent => object["outcome"] = "unknown".into(),
        Verdict::Win(winning) => {
            object["outcome"] = "win".into();
            object["winning_move"] = step(winning);
        }
        Verdict::Loss(lines) => {
            object["outcome"] = "loss".into();
            let lines = lines.iter().map(|(played, answer)| {
                let mut line = step(played);
                line["answer"] = answer.as_ref().map_or(Value::Null, step);
                line
            });
            object["moves"] = lines.collect();
        }
    }
    object
}
