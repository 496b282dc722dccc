use crate::der::{fixed, Cursor, OID_AUTH_DATA, OID_SIGNED_DATA};
use crate::entity::{inflate, parse_entity, ENTITY_START};
use crate::{refuse, Identity, Result, Trust};
use std::collections::BTreeMap;

const MAX_BODY: usize = 68_157_440; // an AMQP library gives the whole body in memory
const MAX_ENVELOPE: usize = 2_097_152; // of several
const MAX_SHORT: usize = 16; // segments that are not full, and again behind each full one
pub const MAX_SEGMENT: usize = 1_048_576;

/// Opens messages for one identity, by one policy.
pub struct Reader {
    pub identity: Identity,
    pub trust: Trust,
    /// That the policy of the address requires.
    pub quality: String,
}

/// An opened message.
#[derive(Debug)]
pub struct Message {
    /// The lines, by name in lower case.
    pub header: BTreeMap<String, String>,
    pub payload: Vec<u8>,
    pub quality: &'static str,
    /// The subject of the proved signer or sender; empty under confidentiality.
    pub signer: String,
}

fn begins_as(bytes: &[u8], oid: &str) -> bool {
    let oid = fixed(oid);
    bytes.first() == Some(&0x30) && bytes[..bytes.len().min(20)].windows(oid.len()).any(|part| part == oid)
}

impl Reader {
    /// Opens the body of a message that was received from the address. The body is one envelope, or the segments of a
    /// large message one behind the other. Returns all of the payload or none of it.
    pub fn open(&self, body: &[u8], address: &str) -> Result<Message> {
        if body.len() > MAX_BODY {
            return refuse("malformed", format!("more than {MAX_BODY} bytes"));
        }
        if !begins_as(body, OID_SIGNED_DATA) && !begins_as(body, OID_AUTH_DATA) {
            return refuse("unprotected", "the message is in clear");
        }
        let mut whole: Option<Message> = None;
        let (mut rest, mut short) = (Cursor(body), 0);
        for number in 1.. {
            let envelope = rest.element()?;
            let at_end = rest.end().is_ok();
            let alone = number == 1 && at_end;
            if !alone && envelope.len() > MAX_ENVELOPE {
                return refuse("malformed", format!("segment {number} is too long"));
            }
            let mut part = self.open_one(envelope, address)?;
            let Some(place) = part.header.remove("signet-segment") else {
                if !alone {
                    return refuse(
                        "malformed",
                        "bytes behind the envelope, or an envelope without a number among segments",
                    );
                }
                if part.header.contains_key("signet-encoding") {
                    part.payload = inflate(&part.payload)?;
                }
                return Ok(part);
            };
            if place != format!("{number}{}", if at_end { " last" } else { "" }) {
                return refuse("malformed", format!("segment {place:?} in place {number}, or the last one is missing"));
            }
            short = if part.payload.len() == MAX_SEGMENT { 0 } else { short + 1 };
            if part.payload.len() > MAX_SEGMENT || short > MAX_SHORT {
                return refuse("malformed", format!("segment {number} is too long, or there are too many short ones"));
            }
            let all = match whole {
                None => part,
                Some(mut all) => {
                    if part.quality != all.quality || part.signer != all.signer || part.header != all.header {
                        return refuse("malformed", format!("segment {number} is of another message"));
                    }
                    all.payload.append(&mut part.payload);
                    all
                }
            };
            if at_end {
                return Ok(all);
            }
            whole = Some(all);
        }
        unreachable!("each message has an end")
    }

    /// Opens one envelope by the rules of opening, in their order.
    fn open_one(&self, envelope: &[u8], address: &str) -> Result<Message> {
        let (mut quality, mut content, mut sender) = ("integrity", envelope.to_vec(), None);
        if begins_as(envelope, OID_AUTH_DATA) {
            (content, sender) = self.decrypt(envelope)?;
            quality = if !content.starts_with(ENTITY_START.as_bytes()) {
                "privacy" // verify checks all bytes of the other beginning
            } else if sender.is_some() && self.quality == "authenticity" {
                "authenticity"
            } else {
                "confidentiality"
            };
        }
        if quality != self.quality && quality != "privacy" {
            return refuse("policy", format!("{quality} where {} is required", self.quality));
        }
        let mut signer = String::new();
        if quality == "integrity" || quality == "privacy" {
            (content, signer) = self.verify(&content)?;
        } else if let (Some(point), "authenticity") = (sender, quality) {
            signer = self.check_sender(&point)?;
        }
        let (header, payload) = parse_entity(&content)?;
        if header["signet-address"] != address {
            return refuse("address", format!("sealed for {:?}, received from {address:?}", header["signet-address"]));
        }
        Ok(Message { payload: payload.to_vec(), header, quality, signer })
    }
}
