//! Seals and opens messages in the format of docs/format.md, without any code of Signet.

mod agreement;
mod decrypt;
mod der;
mod entity;
mod keys;
mod open;
mod seal;
mod verify;

pub use der::elements;
pub use keys::{read_certificates, subject, Identity, Trust};
pub use open::{Message, Reader};
pub use seal::Writer;

/// Why a message is not opened or sealed. `kind` names the rule.
#[derive(Debug)]
pub struct Refusal {
    pub kind: &'static str,
    pub text: String,
}

pub type Result<T> = std::result::Result<T, Refusal>;

fn refuse<T>(kind: &'static str, text: impl Into<String>) -> Result<T> {
    Err(Refusal { kind, text: text.into() })
}

impl std::error::Error for Refusal {}

impl std::fmt::Display for Refusal {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}: {}", self.kind, self.text)
    }
}

/// An operation of OpenSSL that failed although its input was checked.
impl From<openssl::error::ErrorStack> for Refusal {
    fn from(error: openssl::error::ErrorStack) -> Self {
        Refusal { kind: "openssl", text: error.to_string() }
    }
}
