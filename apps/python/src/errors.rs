//! Errors as exceptions. The classes are those of `bouton.errors`, in Python.

use bouton_cluster::answer;
use bouton_session::{Error, certificate};
use pyo3::prelude::*;

/// Which exception it is.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// What was asked for makes no sense.
    Usage,
    /// Something is wrong with files of facts or tables.
    Store,
    /// A certificate proves nothing.
    Certificate,
    /// Anything else.
    Other,
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Self::Usage => "UsageError",
            Self::Store => "StoreError",
            Self::Certificate => "CertificateError",
            Self::Other => "Error",
        }
    }

    /// The exception with a message. Messages name options as the command line does.
    pub(crate) fn raise(self, message: &str) -> PyErr {
        let message = message.replace("--", "").replace("`bouton ", "`bouton.");
        Python::attach(|py| {
            let classes = py.import("bouton.errors");
            let class = classes.and_then(|classes| classes.getattr(self.class()));
            let exception = class.and_then(|class| class.call1((message,)));
            exception.map_or_else(|error| error, PyErr::from_value)
        })
    }
}

/// The exception for an error of a session.
pub(crate) fn of_session(error: &Error) -> PyErr {
    let kind = match error {
        Error::Store(_) | Error::Table(_) => Kind::Store,
        Error::TooMany { .. } => Kind::Other,
        _ => Kind::Usage,
    };
    kind.raise(&error.to_string())
}

/// The exception for an error of a job-level search.
pub(crate) fn of_jobs(error: &answer::Error) -> PyErr {
    match error {
        answer::Error::Request(error) => of_session(error),
        answer::Error::Contradiction(_) => Kind::Other.raise(&error.to_string()),
    }
}

/// The exception for a certificate that is wrong.
pub(crate) fn of_certificate(path: &str, error: &certificate::Error) -> PyErr {
    Kind::Certificate.raise(&format!("{path}: {error}"))
}
