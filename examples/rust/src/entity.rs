use crate::{refuse, Result};
use flate2::{Decompress, FlushDecompress, Status};
use std::collections::BTreeMap;

const MAX_HEADER: usize = 16_384;
const MAX_LINES: usize = 128;
const MAX_INFLATED: usize = 67_108_864;

/// Encrypted content commits to its key by this beginning (docs/format.md, Key commitment).
pub const ENTITY_START: &str = "Signet-Version: 1\r\nContent-Transfer-Encoding: binary\r\n";

const REQUIRED: [&str; 4] = ["signet-version", "message-id", "signet-address", "signet-body"];
const ENCODED: [&str; 4] = ["content-type", "signet-address", "signet-sender", "signet-policy"];
const PLAIN: [&str; 2] = ["signet-segment", "signet-encoding"];

/// Writes a text for a line of the header: each text has one encoding.
fn encode_text(text: &str) -> String {
    let mut out = String::new();
    for (i, b) in text.bytes().enumerate() {
        let plain = (0x20..=0x7e).contains(&b) && b != b'%' && (b != b' ' || i > 0 && i + 1 < text.len());
        out += &if plain { char::from(b).to_string() } else { format!("%{b:02X}") };
    }
    out
}

fn decode_text(value: &str) -> Result<String> {
    let mut out = Vec::new();
    let mut rest = value.as_bytes();
    while let Some((&b, behind)) = rest.split_first() {
        rest = behind;
        if b != b'%' {
            out.push(b);
        } else if let Some((digits, behind)) = rest.split_at_checked(2) {
            out.extend(hex::decode(digits).unwrap_or_default());
            rest = behind;
        }
    }
    match String::from_utf8(out) {
        Ok(text) if encode_text(&text) == value => Ok(text),
        _ => refuse("malformed", format!("header: {value:?} is not encoded as a writer does")),
    }
}

/// Writes the lines and the blank one; the segment is given if the message is large.
pub fn header(id: &str, address: &str, body: &str, content_type: &str, segment: Option<String>) -> Vec<u8> {
    let segment = segment.map_or(String::new(), |place| format!("Signet-Segment: {place}\r\n"));
    let (address, content_type) = (encode_text(address), encode_text(content_type));
    format!(
        "{ENTITY_START}Content-Type: {content_type}\r\nMessage-ID: {id}\r\nSignet-Address: {address}\r\n\
         Signet-Body: {body}\r\n{segment}\r\n"
    )
    .into_bytes()
}

pub fn new_message_id() -> Result<String> {
    let mut id = [0; 16];
    openssl::rand::rand_bytes(&mut id)?;
    Ok(format!("<{}>", hex::encode(id)))
}

/// The lines, by name in lower case and with texts decoded, and the payload.
pub fn parse_entity(entity: &[u8]) -> Result<(BTreeMap<String, String>, &[u8])> {
    let begin = &entity[..entity.len().min(MAX_HEADER)];
    let Some(end) = begin.windows(4).position(|w| w == b"\r\n\r\n") else {
        return refuse("malformed", format!("header: no blank line within {MAX_HEADER} bytes"));
    };
    let text = match std::str::from_utf8(&entity[..end]) {
        Ok(text) if text.split("\r\n").all(|line| line.bytes().all(|b| (0x20..=0x7e).contains(&b))) => text,
        _ => return refuse("malformed", "header: a byte that is not printable ASCII"),
    };
    let mut values = BTreeMap::new();
    for (i, line) in text.split("\r\n").enumerate() {
        let Some((name, value)) = line.split_once(": ") else {
            return refuse("malformed", format!("header: {line:?} is no line"));
        };
        if i == MAX_LINES || name.is_empty() || name.contains([' ', ':']) {
            return refuse("malformed", format!("header: {line:?} is no line, or one too many"));
        }
        if values.insert(name.to_ascii_lowercase(), value.to_string()).is_some() {
            return refuse("malformed", format!("header: {name:?} occurs twice"));
        }
    }
    judge(&mut values)?;
    Ok((values, &entity[end + 4..]))
}

/// Checks the lines and decodes their texts.
fn judge(values: &mut BTreeMap<String, String>) -> Result<()> {
    if let Some(name) = REQUIRED.iter().find(|name| !values.contains_key(**name)) {
        return refuse("malformed", format!("header: {name:?} is missing"));
    }
    for (name, value) in values.iter_mut() {
        let property = name.strip_prefix("signet-property-");
        let property =
            property.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'));
        let known = property
            || REQUIRED.contains(&name.as_str())
            || ENCODED.contains(&name.as_str())
            || PLAIN.contains(&name.as_str());
        if name.starts_with("signet-") && !known {
            return refuse("malformed", format!("header: unknown line {name:?}"));
        }
        if property || ENCODED.contains(&name.as_str()) {
            *value = decode_text(value)?;
        }
    }
    let segment = values.get("signet-segment");
    let bad = if values["signet-version"] != "1" {
        "another version than 1"
    } else if values.get("content-transfer-encoding").is_some_and(|v| v != "binary") {
        "another transfer encoding than binary"
    } else if !is_message_id(&values["message-id"]) {
        "a bad message id"
    } else if segment.is_some_and(|s| !is_segment(s)) {
        "a bad segment"
    } else if values.get("signet-encoding").is_some_and(|v| v != "deflate" || segment.is_some()) {
        "an unknown encoding, or one of a segment"
    } else if values.contains_key("signet-property-hidden") {
        "hidden properties, which this program does not read"
    } else {
        return Ok(());
    };
    refuse("malformed", format!("header: {bad}"))
}

fn is_message_id(text: &str) -> bool {
    let digits = text.strip_prefix('<').and_then(|t| t.strip_suffix('>')).unwrap_or("");
    digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

fn is_segment(text: &str) -> bool {
    let number = text.strip_suffix(" last").unwrap_or(text);
    (1..=9).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit()) && !number.starts_with('0')
}

/// Decompresses zlib data within the limit of the format.
pub fn inflate(data: &[u8]) -> Result<Vec<u8>> {
    let mut stream = Decompress::new(true);
    let mut payload = Vec::new();
    loop {
        payload.reserve(65_536);
        let before = (stream.total_in(), stream.total_out());
        let status = stream.decompress_vec(&data[before.0 as usize..], &mut payload, FlushDecompress::None);
        let went_on = before != (stream.total_in(), stream.total_out());
        match status {
            _ if payload.len() > MAX_INFLATED => (),
            Ok(Status::StreamEnd) if stream.total_in() == data.len() as u64 => return Ok(payload),
            Ok(Status::Ok | Status::BufError) if went_on => continue,
            _ => (),
        }
        return refuse("malformed", "payload: cut, bad or too long when decompressed");
    }
}
