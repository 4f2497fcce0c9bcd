//! `bouton check`: verifies a certificate by the rules alone.

use std::path::PathBuf;

use anyhow::Context;
use bouton_session::{Certificate, Extent, certificate, check};
use clap::Args;
use serde::Serialize;

use super::json;
use crate::Report;
use crate::monitor::grouped;

/// Verify a certificate by the rules of its game alone: no search, no trust
#[derive(Args)]
#[command(after_help = "\
Examples:
  bouton solve cram 5x6 --nimber --certificate cram.bouton
  bouton check cram.bouton
  bouton check cram.bouton --sample 1000

Exit codes: 0 verified, 1 something is wrong with it.")]
pub(crate) struct Check {
    /// The certificate
    file: PathBuf,
    /// Check about so many steps only, chosen evenly: no proof, but a quick look
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Verified<'a> {
    verified: bool,
    game: &'a str,
    position: &'a str,
    claim: String,
    couples: u64,
    steps: u64,
    lookups: u64,
}

impl Check {
    pub(crate) fn run(&self) -> anyhow::Result<Report> {
        let shown = self.file.display();
        let certificate = Certificate::open(&self.file).with_context(|| format!("{shown}"))?;
        let extent = self.sample.map_or(Extent::All, Extent::Sample);
        let report = check(&certificate, extent, &mut |_| Ok(()));
        let report = report.with_context(|| format!("{shown}"))?;
        let text = if self.json {
            json(&self.verified(&certificate, &report))?
        } else {
            self.in_words(&certificate, &report)
        };
        Ok(Report::complete(text))
    }

    fn verified<'a>(
        &self,
        certificate: &'a Certificate,
        report: &certificate::Report,
    ) -> Verified<'a> {
        let statement = certificate.statement();
        Verified {
            verified: self.sample.is_none(),
            game: &statement.game,
            position: &statement.root,
            claim: statement.claim.to_string(),
            couples: certificate.couples(),
            steps: report.steps,
            lookups: report.lookups,
        }
    }

    fn in_words(&self, certificate: &Certificate, report: &certificate::Report) -> String {
        let statement = certificate.statement();
        let what = match self.sample {
            None => "verified",
            Some(_) => "nothing wrong found",
        };
        format!(
            "{what}: {} {}: {}\n{} of {} steps checked, {} positions looked up\n",
            statement.game,
            statement.root,
            statement.claim,
            grouped(report.steps),
            grouped(certificate.couples()),
            grouped(report.lookups)
        )
    }
}
