//! DER, and the parts of an envelope that are the same in each one.

use crate::{refuse, Refusal, Result};
use ::der::{Decode, Encode, Header, Length, Reader, SliceReader};
use hex::decode as hex;

pub const OID_DATA: &str = "06092a864886f70d010701";
pub const OID_SIGNED_DATA: &str = "06092a864886f70d010702";
pub const OID_AUTH_DATA: &str = "060b2a864886f70d0109100117"; // AuthEnvelopedData
pub const OID_HASH_LIST: &str = "061569828ad5c2bcdee59aae9fade3c3e2fbeca6f46301"; // of a shared signature
pub const OID_ENTITY: &str = "061569828ad5c2bcdee59aae9fade3c3e2fbeca6f46302";
pub const OID_BASIC_CONSTRAINTS: &str = "0603551d13";
pub const OID_AES_GCM: &str = "060960864801650304012e";

pub const ATTR_CONTENT_TYPE: &str = "06092a864886f70d010903";
pub const ATTR_MESSAGE_DIGEST: &str = "06092a864886f70d010904";
pub const ATTR_SIGNING_TIME: &str = "06092a864886f70d010905";
pub const ATTR_SIGNING_CERT: &str = "060b2a864886f70d010910022f";

pub const ALG_SHA512: &str = "300b0609608648016503040203";
pub const ALG_ECDSA: &str = "300a06082a8648ce3d040304"; // ecdsa-with-SHA512
pub const ALG_RSA: &str = "300d06092a864886f70d01010d0500"; // sha512WithRSAEncryption
pub const ALG_PSS: &str = "303d06092a864886f70d01010a3030a00d300b0609608648016503040203a11a301806092a864886f70d010108\
    300b0609608648016503040203a203020140";
pub const ALG_OAEP: &str = "303806092a864886f70d010107302ba00d300b0609608648016503040201a11a301806092a864886f70d010108\
    300b0609608648016503040201";
pub const ALG_AGREE: &str = "301506062b8104010b01300b060960864801650304012d"; // X9.63 with SHA-256, AES-256 key wrap
pub const ALG_EC_KEY: &str = "300906072a8648ce3d0201";
pub const ALG_AES_WRAP: &str = "300b060960864801650304012d";
pub const SUPP_PUB: &str = "a206040400000100"; // of ECC-CMS-SharedInfo: 256 bits

pub const VERSION_0: &str = "020100";
pub const VERSION_2: &str = "020102";
pub const VERSION_3: &str = "020103";
pub const TAG_LENGTH: &str = "020110";

/// One of the constants above in bytes.
pub fn fixed(digits: &str) -> Vec<u8> {
    hex(digits).expect("a constant in hexadecimal")
}

/// Writes one element: tag, length, the parts.
pub fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = Length::try_from(content.len()).and_then(|l| l.to_der()).expect("at most 256 MiB");
    [&[tag], length.as_slice(), &content].concat()
}

/// Writes a SET OF in the order of DER.
pub fn set(tag: u8, mut elements: Vec<Vec<u8>>) -> Vec<u8> {
    elements.sort();
    tlv(tag, &[&elements.concat()])
}

fn other_form<T>() -> Result<T> {
    refuse("malformed", "the envelope is not of the form that this program reads")
}

impl From<::der::Error> for Refusal {
    fn from(_: ::der::Error) -> Self {
        other_form::<()>().unwrap_err()
    }
}

/// Reads DER strictly.
#[derive(Clone, Copy)]
pub struct Cursor<'a>(pub &'a [u8]);

impl<'a> Cursor<'a> {
    /// Reads one element of any tag, with its header.
    pub fn element(&mut self) -> Result<&'a [u8]> {
        let whole = SliceReader::new(self.0)?.tlv_bytes()?;
        self.0 = &self.0[whole.len()..];
        Ok(whole)
    }

    /// Reads one element and returns its content.
    pub fn take(&mut self, tag: u8) -> Result<Cursor<'a>> {
        if !self.has(tag) {
            return other_form();
        }
        let whole = self.element()?;
        let header = Header::decode(&mut SliceReader::new(whole)?)?;
        Ok(Cursor(&whole[whole.len() - usize::try_from(header.length)?..]))
    }

    /// Reads one element without further bytes behind it in the content of this one.
    pub fn only(mut self, tag: u8) -> Result<Cursor<'a>> {
        let content = self.take(tag)?;
        self.end()?;
        Ok(content)
    }

    /// Reads bytes that have one form only.
    pub fn must(&mut self, digits: &str) -> Result<()> {
        match self.0.strip_prefix(fixed(digits).as_slice()) {
            Some(rest) => self.0 = rest,
            None => return other_form(),
        }
        Ok(())
    }

    pub fn has(&self, tag: u8) -> bool {
        self.0.first() == Some(&tag)
    }

    pub fn end(&self) -> Result<()> {
        if self.0.is_empty() {
            Ok(())
        } else {
            other_form()
        }
    }

    /// The content, if it is not longer than this.
    pub fn within(self, max: usize) -> Result<&'a [u8]> {
        if self.0.len() > max {
            return refuse("malformed", format!("a field of more than {max} bytes"));
        }
        Ok(self.0)
    }
}

/// The elements that stand one behind the other in these bytes.
pub fn elements(bytes: &[u8]) -> Result<Vec<&[u8]>> {
    let mut rest = Cursor(bytes);
    let mut all = Vec::new();
    while rest.end().is_err() {
        all.push(rest.element()?);
    }
    Ok(all)
}
