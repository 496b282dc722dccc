//! The vectors and attacks of the format, and changed envelopes, through the code that the programs use.

use base64::prelude::{Engine, BASE64_STANDARD};
use openssl::asn1::Asn1Time;
use openssl::ec::{EcGroup, EcKey};
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::PKey;
use openssl::x509::extension::{BasicConstraints, KeyUsage};
use openssl::x509::{X509Builder, X509NameBuilder, X509};
use serde_json::Value;
use signet_example::{elements, Identity, Message, Reader, Refusal, Trust, Writer};
use std::fs::read_to_string;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

const VECTORS: &str = "../../envelope/src/test/resources/vectors/";
const SEALED_AT: i64 = 1_795_262_400; // 2026-11-21T12:00:00Z
const SEGMENT: usize = 1_048_576;

fn load(name: &str) -> Vec<Value> {
    let text = read_to_string(format!("{VECTORS}{name}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn text<'a>(case: &'a Value, key: &str) -> Option<&'a str> {
    case.get(key)?.as_str()
}

fn envelope(case: &Value) -> Vec<u8> {
    let Some(packed) = text(case, "envelope-zlib") else {
        return hex::decode(text(case, "envelope").unwrap()).unwrap();
    };
    let mut out = Vec::new();
    let packed = BASE64_STANDARD.decode(packed).unwrap();
    flate2::read::ZlibDecoder::new(packed.as_slice()).read_to_end(&mut out).unwrap();
    out
}

/// One of the two identities of the vectors whose keys the programs support.
fn identity(name: &str) -> Identity {
    let all = load("identities");
    let case = all.iter().find(|case| text(case, "name") == Some(name)).unwrap();
    Identity {
        key: PKey::private_key_from_pem(text(case, "key").unwrap().as_bytes()).unwrap(),
        cert: X509::from_pem(text(case, "certificate").unwrap().as_bytes()).unwrap(),
    }
}

fn reader(name: &str, quality: &str) -> Reader {
    let certs = vec![identity("test-p256").cert, identity("test-rsa2048").cert];
    let trust = Trust { certs, signer: None, now: SEALED_AT };
    Reader { identity: identity(name), trust, quality: quality.into() }
}

fn unsupported(case: &Value) -> bool {
    text(case, "require").is_some() || text(case, "identity").is_some_and(|name| name.contains("ml"))
}

/// Opens a case as it says. A case of keys that the programs do not support is opened with the EC key.
fn open(case: &Value) -> Result<Message, Refusal> {
    let name = text(case, "opener").or(text(case, "identity").filter(|_| !unsupported(case)));
    let mut reader = reader(name.unwrap_or("test-p256"), text(case, "quality").unwrap());
    reader.trust.signer = text(case, "signers").map(|name| format!("CN={name},O=Signet test vectors"));
    if let Some(pem) = text(case, "trusted") {
        reader.trust.certs.push(X509::from_pem(pem.as_bytes()).unwrap());
    }
    if let Some(now) = text(case, "now") {
        let digits: String = now.chars().take(19).filter(char::is_ascii_digit).collect();
        let now = Asn1Time::from_str(&format!("{digits}Z")).unwrap();
        let passed = Asn1Time::from_unix(0).unwrap().diff(&now).unwrap();
        reader.trust.now = i64::from(passed.days) * 86_400 + i64::from(passed.secs);
    }
    reader.open(&envelope(case), text(case, "address").unwrap_or("orders.eu"))
}

#[test]
fn vector_opens_to_its_payload_or_is_refused_if_its_keys_are_not_supported() {
    let mut opened = 0;
    for case in load("accepted") {
        let name = text(&case, "name").unwrap();
        if unsupported(&case) {
            open(&case).expect_err(name);
            continue;
        }
        let message = open(&case).expect(name);
        assert_eq!(hex::encode(&message.payload), text(&case, "payload").unwrap(), "{name}");
        assert_eq!(message.quality, text(&case, "quality").unwrap(), "{name}");
        if message.quality != "confidentiality" {
            assert_eq!(message.signer, format!("CN={},O=Signet test vectors", text(&case, "identity").unwrap()));
        }
        opened += 1;
    }
    assert_eq!(opened, 10);
}

#[test]
fn rejected_vector_is_refused_for_its_reason() {
    for case in load("rejected") {
        let (name, expected) = (text(&case, "name").unwrap(), text(&case, "expect").unwrap());
        if name == "either-where-both-is-wanted" {
            continue; // a policy that these programs cannot have
        }
        let kind = match expected {
            "MalformedEnvelopeException" => "malformed",
            "AuthenticationFailedException" => "not authentic",
            "PolicyViolationException" => "policy",
            "NotARecipientException" => "not a recipient",
            "AddressMismatchException" => "address",
            "SignerNotAuthorizedException" => "signer not expected",
            "SignerRejectedException" => "signer rejected",
            "UnprotectedMessageException" => "unprotected",
            other => panic!("{other}"),
        };
        let refusal = open(&case).expect_err(name);
        assert!(unsupported(&case) || refusal.kind == kind, "{name}: {expected}, and not {refusal}");
    }
}

#[test]
fn attack_is_refused() {
    for case in load("attacks") {
        open(&case).expect_err(text(&case, "name").unwrap());
    }
}

/// Some of these open; a reader may refuse those that are not in DER.
#[test]
fn hostile_envelope_takes_no_long_time() {
    for case in load("hostile") {
        let name = text(&case, "name").unwrap();
        let start = Instant::now();
        let opened = open(&case).is_ok();
        assert!(!opened || text(&case, "expect").is_none(), "{name}");
        assert!(start.elapsed() < Duration::from_secs(20), "{name}: {:?}", start.elapsed());
    }
}

#[test]
fn header_is_accepted_or_refused_as_the_document_says() {
    let document = read_to_string("../../docs/format.md").unwrap();
    let recipients = vec![identity("test-p256").cert];
    let writer = Writer { identity: identity("test-p256"), recipients, quality: "confidentiality".into() };
    let (mut good, mut bad) = (0, 0);
    for block in document.split("\n```").filter(|b| b.starts_with("header ") || b.starts_with("rejected-header ")) {
        let (title, lines) = block.split_once('\n').unwrap();
        let entity = format!("{}\r\n\r\nhello", lines.replace('\n', "\r\n"));
        let result =
            reader("test-p256", "confidentiality").open(&writer.seal_entity(entity.as_bytes()).unwrap(), "orders.eu");
        if title.starts_with("header ") {
            assert_eq!(result.expect(title).payload, b"hello");
            good += 1;
        } else {
            assert_eq!(result.expect_err(title).kind, "malformed", "{title}");
            bad += 1;
        }
    }
    assert!(good >= 1 && bad >= 13, "{good} {bad}");
}

#[test]
fn compressed_payload_opens_only_whole() {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&[b'x'; 100_000]).unwrap();
    let packed = packed.finish().unwrap();
    let lines =
        "Signet-Version: 1\r\nContent-Transfer-Encoding: binary\r\nMessage-ID: <00112233445566778899aabbccddeeff>\r\n\
        Signet-Address: orders.eu\r\nSignet-Body: bytes\r\nSignet-Encoding: deflate\r\n\r\n";
    let recipients = vec![identity("test-p256").cert];
    let writer = Writer { identity: identity("test-p256"), recipients, quality: "confidentiality".into() };
    let open = |payload: &[u8]| {
        let body = writer.seal_entity(&[lines.as_bytes(), payload].concat()).unwrap();
        reader("test-p256", "confidentiality").open(&body, "orders.eu")
    };
    assert_eq!(open(&packed).unwrap().payload, [b'x'; 100_000]);
    assert_eq!(open(&packed[..packed.len() - 1]).unwrap_err().kind, "malformed");
    assert_eq!(open(&[packed.as_slice(), &[0]].concat()).unwrap_err().kind, "malformed");
}

#[test]
fn each_byte_changed_or_cut_is_refused() {
    for case in load("accepted") {
        let name = text(&case, "name").unwrap();
        if unsupported(&case) || name.starts_with("large") {
            continue;
        }
        let reader = reader(text(&case, "identity").unwrap(), text(&case, "quality").unwrap());
        let good = envelope(&case);
        for at in 0..good.len() {
            for change in [0x01, 0xff] {
                let mut changed = good.clone();
                changed[at] ^= change;
                reader.open(&changed, "orders.eu").expect_err(&format!("{name}: byte {at} changed by {change}"));
            }
            reader.open(&good[..at], "orders.eu").expect_err(&format!("{name}: cut at {at}"));
        }
    }
}

/// An identity with a self-signed certificate.
fn new_identity(curve: Nid, name: &str) -> Identity {
    issue(curve, name, None, false)
}

/// An identity with a certificate by an issuer, or by itself.
fn issue(curve: Nid, name: &str, issuer: Option<&Identity>, is_ca: bool) -> Identity {
    let key = PKey::from_ec_key(EcKey::generate(&EcGroup::from_curve_name(curve).unwrap()).unwrap()).unwrap();
    let mut subject = X509NameBuilder::new().unwrap();
    subject.append_entry_by_text("CN", name).unwrap();
    let subject = subject.build();
    let issuer_name = issuer.map_or(subject.as_ref(), |issuer| issuer.cert.subject_name());
    let mut cert = X509Builder::new().unwrap();
    cert.set_version(2).unwrap();
    cert.set_subject_name(&subject).unwrap();
    cert.set_issuer_name(issuer_name).unwrap();
    cert.set_pubkey(&key).unwrap();
    cert.set_not_before(&Asn1Time::from_unix(0).unwrap()).unwrap();
    cert.set_not_after(&Asn1Time::days_from_now(10).unwrap()).unwrap();
    if is_ca {
        cert.append_extension(BasicConstraints::new().critical().ca().build().unwrap()).unwrap();
        cert.append_extension(KeyUsage::new().critical().key_cert_sign().build().unwrap()).unwrap();
    } else {
        cert.append_extension(BasicConstraints::new().critical().build().unwrap()).unwrap();
        cert.append_extension(KeyUsage::new().critical().digital_signature().key_agreement().build().unwrap()).unwrap();
    }
    cert.sign(issuer.map_or(&key, |issuer| &issuer.key), MessageDigest::sha256()).unwrap();
    Identity { key, cert: cert.build() }
}

/// An identity with a self-signed certificate of version 1, which has no extensions.
fn version_one(name: &str) -> Identity {
    let Identity { key, cert } = new_identity(Nid::X9_62_PRIME256V1, name);
    let mut old = X509Builder::new().unwrap();
    old.set_version(0).unwrap();
    old.set_subject_name(cert.subject_name()).unwrap();
    old.set_issuer_name(cert.subject_name()).unwrap();
    old.set_pubkey(&key).unwrap();
    old.set_not_before(cert.not_before()).unwrap();
    old.set_not_after(cert.not_after()).unwrap();
    old.sign(&key, MessageDigest::sha256()).unwrap();
    Identity { key, cert: old.build() }
}

#[test]
fn trusted_party_with_a_certificate_of_version_1_signs_and_is_no_issuer() {
    let party = version_one("bob");
    let other = issue(Nid::X9_62_PRIME256V1, "bob", Some(&party), false);
    for (signer, accepted) in [(&party, true), (&other, false)] {
        let writer = Writer { identity: copy(signer), recipients: vec![], quality: "integrity".into() };
        let body = writer.seal("a", "bytes", "text/plain", b"hello").unwrap();
        match opener(&party, "integrity", &party).open(&body, "a") {
            Ok(message) => assert!(accepted && message.signer == "CN=bob"),
            Err(refusal) => assert!(!accepted && refusal.kind == "signer rejected", "{refusal}"),
        }
    }
}

fn copy(identity: &Identity) -> Identity {
    Identity { key: identity.key.clone(), cert: identity.cert.clone() }
}

fn opener(identity: &Identity, quality: &str, signer: &Identity) -> Reader {
    let certs = vec![signer.cert.clone()];
    let trust = Trust { certs, signer: Some("CN=bob".into()), now: 1_000_000_000 };
    Reader { identity: copy(identity), trust, quality: quality.into() }
}

#[test]
fn sealed_opens_under_each_quality_curve_and_length() {
    let rsa = identity("test-rsa2048");
    for curve in [Nid::X9_62_PRIME256V1, Nid::SECP384R1, Nid::SECP521R1] {
        let (alice, bob) = (new_identity(curve, "alice"), new_identity(curve, "bob"));
        for quality in ["integrity", "privacy", "confidentiality", "authenticity"] {
            let mut openers = vec![&alice, &bob];
            if quality != "authenticity" {
                openers.push(&rsa);
            }
            let recipients = openers.iter().map(|i| i.cert.clone()).collect();
            let writer = Writer { identity: copy(&bob), recipients, quality: quality.into() };
            for length in [0, 5, SEGMENT, SEGMENT + 1, 3 * SEGMENT + 7] {
                let payload = vec![b'x'; length];
                let body = writer.seal("zürich.%", "bytes", "text/plain", &payload).unwrap();
                for identity in &openers {
                    let message = opener(identity, quality, &bob).open(&body, "zürich.%").unwrap();
                    assert!(message.payload == payload && message.quality == quality);
                }
            }
        }
    }
}

#[test]
fn signer_is_accepted_from_a_trusted_issuer_and_not_from_a_trusted_party_or_anyone() {
    let curve = Nid::X9_62_PRIME256V1;
    let (ca, party) = (issue(curve, "ca", None, true), new_identity(curve, "party"));
    for (issuer, accepted) in [(Some(&ca), true), (Some(&party), false), (None, false)] {
        let bob = issue(curve, "bob", issuer, false);
        let writer = Writer { identity: bob, recipients: vec![], quality: "integrity".into() };
        let body = writer.seal("a", "bytes", "text/plain", b"hello").unwrap();
        let mut reader = opener(&party, "integrity", &ca);
        reader.trust.certs.push(party.cert.clone());
        match reader.open(&body, "a") {
            Ok(message) => assert!(accepted && message.signer == "CN=bob"),
            Err(refusal) => assert!(!accepted && refusal.kind == "signer rejected", "{refusal}"),
        }
    }
}

#[test]
fn segments_swapped_dropped_or_mixed_are_refused() {
    let bob = new_identity(Nid::X9_62_PRIME256V1, "bob");
    let writer = Writer { identity: copy(&bob), recipients: vec![bob.cert.clone()], quality: "privacy".into() };
    let reader = opener(&bob, "privacy", &bob);
    let seal = || writer.seal("a", "bytes", "text/plain", &vec![0; 2 * SEGMENT + 1]).unwrap();
    let (a, b) = (seal(), seal());
    let (a, b) = (elements(&a).unwrap(), elements(&b).unwrap());
    reader.open(&a.concat(), "a").unwrap();
    let wrong: [&[&[u8]]; 9] = [
        &[a[0]],
        &[a[0], a[1]],
        &[a[0], a[2]],
        &[a[1], a[0], a[2]],
        &[a[0], a[0], a[1], a[2]],
        &[a[0], b[1], a[2]],
        &[a[0], a[1], b[2]],
        &[a[0], a[1], a[2], a[2]],
        &[a[0], a[1], a[2], &[0]],
    ];
    for segments in wrong {
        assert_eq!(reader.open(&segments.concat(), "a").unwrap_err().kind, "malformed");
    }
}

#[test]
fn content_that_does_not_commit_to_its_key_is_refused() {
    let bob = new_identity(Nid::X9_62_PRIME256V1, "bob");
    let writer = Writer { identity: copy(&bob), recipients: vec![bob.cert.clone()], quality: "confidentiality".into() };
    let body = writer.seal_entity(b"Content-Type: text/plain\r\n\r\n").unwrap();
    assert_eq!(opener(&bob, "confidentiality", &bob).open(&body, "a").unwrap_err().kind, "malformed");
}
