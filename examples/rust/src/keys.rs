use crate::der::{elements, Cursor, OID_BASIC_CONSTRAINTS};
use crate::{refuse, Result};
use openssl::nid::Nid;
use openssl::pkey::{Id, PKey, Private, Public};
use openssl::sha::sha1;
use openssl::stack::Stack;
use openssl::x509::store::X509StoreBuilder;
use openssl::x509::verify::{X509VerifyFlags, X509VerifyParam};
use openssl::x509::{X509KeyUsage, X509PurposeId, X509Ref, X509StoreContext, X509};
use std::fs::read;

/// A private key with its certificate.
pub struct Identity {
    pub key: PKey<Private>,
    pub cert: X509,
}

/// Whose signatures count.
pub struct Trust {
    /// Trusted issuers, and the certificates of signers.
    pub certs: Vec<X509>,
    /// The subject that a signer must have, as CN=broker,O=Example; none for anyone trusted.
    pub signer: Option<String>,
    /// The time at which certificates must be valid, in seconds since 1970.
    pub now: i64,
}

/// Reads all certificates of a PEM file.
pub fn read_certificates(file: &str) -> std::result::Result<Vec<X509>, String> {
    let text = read(file).map_err(|e| format!("{file}: {e}"))?;
    match X509::stack_from_pem(&text) {
        Ok(certs) if !certs.is_empty() => Ok(certs),
        _ => Err(format!("{file}: no certificate in PEM")),
    }
}

impl Identity {
    /// Reads an unencrypted PKCS#8 key and its certificate, both in PEM.
    pub fn read(key_file: &str, cert_file: &str) -> std::result::Result<Identity, String> {
        let cert = read_certificates(cert_file)?.remove(0);
        let text = read(key_file).map_err(|e| format!("{key_file}: {e}"))?;
        let key = PKey::private_key_from_pem_callback(&text, |_| Ok(0))
            .map_err(|_| format!("{key_file}: not an unencrypted private key in PEM"))?;
        match usable(&cert) {
            Ok(public) if public.public_eq(&key) => Ok(Identity { key, cert }),
            Ok(_) => Err(format!("{key_file}: not the key of {cert_file}")),
            Err(e) => Err(format!("{cert_file}: {e}")),
        }
    }
}

/// Checks the kind and size of the key of a certificate.
pub fn usable(cert: &X509Ref) -> Result<PKey<Public>> {
    let curves = [Some(Nid::X9_62_PRIME256V1), Some(Nid::SECP384R1), Some(Nid::SECP521R1)];
    if let Ok(key) = cert.public_key() {
        let rsa = key.id() == Id::RSA && (2048..=8192).contains(&key.bits()) && key.rsa()?.e().num_bits() <= 64;
        if rsa || key.id() == Id::EC && curves.contains(&key.ec_key()?.group().curve_name()) {
            return Ok(key);
        }
    }
    refuse("signer rejected", format!("{}: neither EC P-256, P-384, P-521 nor RSA of 2048 to 8192 bits", subject(cert)))
}

/// The distinguished name in the order of RFC 4514. Names with characters that it would escape are not supported.
pub fn subject(cert: &X509Ref) -> String {
    let single = has_single_names(cert).unwrap_or(false);
    let mut parts: Vec<String> = Vec::new();
    for entry in cert.subject_name().entries() {
        let name = entry.object().nid().short_name().unwrap_or("?");
        let value = entry.data().to_string().unwrap_or_default();
        let plain = single && !value.contains(['"', '+', ',', ';', '<', '=', '>', '\\', '\0', '#']);
        parts.push(format!("{name}={}", if plain { value.as_str() } else { "?" }));
    }
    parts.reverse();
    parts.join(",")
}

/// Tells whether each part of the subject has one attribute: CN=a+O=b is another subject than CN=a,O=b.
fn has_single_names(cert: &X509Ref) -> Result<bool> {
    let encoded = cert.subject_name().to_der()?;
    for part in elements(Cursor(&encoded).only(0x30)?.0)? {
        if elements(Cursor(part).only(0x31)?.0)?.len() != 1 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Tells whether a certificate is an issuer's by its basic constraints. OpenSSL takes others for issuers, too: those of
/// version 1.
fn is_issuer(cert: &X509Ref) -> Result<bool> {
    let encoded = cert.to_der()?;
    let mut content = Cursor(&encoded).take(0x30)?.take(0x30)?;
    while content.end().is_err() && !content.has(0xa3) {
        content.element()?;
    }
    if content.end().is_ok() {
        return Ok(false);
    }
    let mut list = content.only(0xa3)?.only(0x30)?;
    while list.end().is_err() {
        let mut extension = list.take(0x30)?;
        if extension.must(OID_BASIC_CONSTRAINTS).is_ok() {
            if extension.has(0x01) {
                extension.element()?; // critical
            }
            return Ok(extension.only(0x04)?.only(0x30)?.must("0101ff").is_ok());
        }
    }
    Ok(false)
}

/// The subject key identifier, by which envelopes name signers and recipients.
pub fn key_id(cert: &X509Ref) -> Result<Vec<u8>> {
    if let Some(id) = cert.subject_key_id() {
        return Ok(id.as_slice().to_vec());
    }
    let key = cert.public_key()?.public_key_to_der()?;
    let mut info = Cursor(&key).only(0x30)?;
    info.element()?; // the algorithm
    Ok(sha1(info.only(0x03)?.0.get(1..).unwrap_or(&[])).to_vec())
}

impl Trust {
    /// Rejects a signer that is not trusted, or not the expected one. `others` may be issuers of it.
    pub fn check(&self, cert: &X509Ref, others: &[X509], usage: X509KeyUsage) -> Result<String> {
        let name = subject(cert);
        usable(cert)?;
        let mut store = X509StoreBuilder::new()?;
        for trusted in &self.certs {
            if is_issuer(trusted)? || trusted.to_der()? == cert.to_der()? {
                store.add_cert(trusted.clone())?;
            }
        }
        let mut rules = X509VerifyParam::new()?;
        rules.set_flags(X509VerifyFlags::PARTIAL_CHAIN)?; // a trusted certificate ends the path, also if it is no root
        rules.set_purpose(X509PurposeId::SMIME_SIGN)?;
        rules.set_depth(3); // issuers between the signer and the trusted one
        rules.set_auth_level(2); // no signature with SHA-1, no short key in the path
        rules.set_time(self.now);
        store.set_param(&rules)?;
        let mut between = Stack::new()?;
        for other in others {
            if is_issuer(other)? {
                between.push(other.clone())?;
            }
        }
        let mut context = X509StoreContext::new()?;
        let problem = context.init(&store.build(), cert, &between, |c| {
            let good = c.verify_cert()?;
            Ok((!good).then(|| c.error().error_string().to_string()))
        })?;
        if let Some(problem) = problem {
            return refuse("signer rejected", format!("{name:?}: {problem}"));
        }
        if !cert.key_usage().is_none_or(|usages| usages.contains(usage)) {
            return refuse("signer rejected", format!("{name:?}: its key usage does not allow it"));
        }
        match &self.signer {
            Some(expected) if *expected != name => refuse("signer not expected", format!("{name:?}")),
            _ => Ok(name),
        }
    }
}
