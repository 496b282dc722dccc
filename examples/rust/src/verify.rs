use crate::der::*;
use crate::keys::{key_id, usable};
use crate::{refuse, Reader, Result};
use openssl::hash::MessageDigest;
use openssl::pkey::Id;
use openssl::rsa::Padding;
use openssl::sha::{sha256, sha512};
use openssl::sign::{RsaPssSaltlen, Verifier};
use openssl::x509::{X509KeyUsage, X509Ref, X509};
use std::collections::BTreeMap;

const MAX_CERTS: usize = 5;
const MAX_CERT: usize = 8_192;
const MAX_ATTRIBUTES: usize = 16_384;
const MAX_SIGNATURE: usize = 1_024;
const MAX_HASHES: usize = 32;

impl Reader {
    /// Opens a SignedData. Returns the entity and the subject of the signer.
    pub(crate) fn verify(&self, envelope: &[u8]) -> Result<(Vec<u8>, String)> {
        let mut info = Cursor(envelope).only(0x30)?;
        info.must(OID_SIGNED_DATA)?;
        let mut data = info.only(0xa0)?.only(0x30)?;
        data.must(VERSION_3)?;
        let mut digests = data.take(0x31)?;
        digests.must(ALG_SHA512)?;
        digests.end()?;
        let mut content = data.take(0x30)?;
        let content_type = content.element()?;
        let signed = content.only(0xa0)?.only(0x04)?.0;
        let certs = read_certs(&mut data)?;
        let mut signer = data.only(0x31)?.only(0x30)?;
        signer.must(VERSION_3)?;
        let name = signer.take(0x80)?.0;
        signer.must(ALG_SHA512)?;
        let attributes = signer.take(0xa0)?.within(MAX_ATTRIBUTES)?;
        let algorithm = signer.element()?;
        let signature = signer.take(0x04)?.within(MAX_SIGNATURE)?;
        let shared = content_type == fixed(OID_HASH_LIST);
        let mut entity = signed;
        if shared {
            let mut attribute = signer.only(0xa1)?.only(0x30)?;
            attribute.must(OID_ENTITY)?;
            entity = attribute.only(0x31)?.only(0x04)?.0;
        } else if content_type != fixed(OID_DATA) || signer.end().is_err() {
            return refuse("malformed", "signed content of an unknown type, or an unsigned attribute");
        }
        let cert_hash = read_attributes(attributes, content_type, signed)?;
        if shared && !in_list(signed, entity) {
            return refuse("not authentic", "the entity is not in a good list of hashes");
        }
        // an envelope without certificates only names the signer's
        for cert in if certs.is_empty() { &self.trust.certs } else { &certs } {
            if sha256(&cert.to_der()?) == cert_hash && key_id(cert)? == name {
                if !signature_is_right(cert, &tlv(0x31, &[attributes]), algorithm, signature)? {
                    return refuse(
                        "not authentic",
                        "the signature is wrong, or of another algorithm than with SHA-512",
                    );
                }
                let subject = self.trust.check(cert, &certs, X509KeyUsage::empty())?;
                return Ok((entity.to_vec(), subject));
            }
        }
        refuse("signer rejected", "the certificate of the signer is neither in the message nor known")
    }
}

fn read_certs(data: &mut Cursor) -> Result<Vec<X509>> {
    let mut certs = Vec::new();
    if data.has(0xa0) {
        let mut list = data.take(0xa0)?;
        while list.end().is_err() {
            let der = list.element()?;
            if certs.len() == MAX_CERTS || der.len() > MAX_CERT || der[0] != 0x30 {
                return refuse("malformed", "too many or too long certificates");
            }
            match X509::from_der(der) {
                Ok(cert) => certs.push(cert),
                Err(_) => return refuse("malformed", "a certificate that cannot be read"),
            }
        }
    }
    Ok(certs)
}

/// Checks the signed attributes. Returns the SHA-256 of the certificate that they name.
fn read_attributes<'a>(attributes: &'a [u8], content_type: &[u8], signed: &[u8]) -> Result<&'a [u8]> {
    let mut values = BTreeMap::new();
    let mut list = Cursor(attributes);
    while list.end().is_err() {
        let mut attribute = list.take(0x30)?;
        let kind = attribute.element()?.to_vec();
        let mut set = attribute.only(0x31)?;
        let value = set.element()?;
        set.end()?;
        if values.len() == 4 || values.insert(kind, value).is_some() {
            return refuse("malformed", "signed attributes: one occurs twice, or there are more than four");
        }
    }
    let value = |kind| values.get(&fixed(kind)).copied().unwrap_or(&[]);
    if value(ATTR_SIGNING_TIME).is_empty() || value(ATTR_CONTENT_TYPE) != content_type {
        return refuse("malformed", "signed attributes: no signing time, or another content type");
    }
    if value(ATTR_MESSAGE_DIGEST) != tlv(0x04, &[&sha512(signed)]) {
        return refuse("not authentic", "the digest of the content is wrong");
    }
    Ok(Cursor(value(ATTR_SIGNING_CERT)).only(0x30)?.only(0x30)?.only(0x30)?.only(0x04)?.0)
}

/// Tells whether a list of hashes is in order and has that of the entity.
fn in_list(list: &[u8], entity: &[u8]) -> bool {
    let hashes: Vec<&[u8]> = list.chunks(32).collect();
    list.len().is_multiple_of(32)
        && hashes.len() <= MAX_HASHES
        && hashes.windows(2).all(|pair| pair[0] < pair[1])
        && hashes.contains(&sha256(entity).as_slice())
}

fn signature_is_right(cert: &X509Ref, attributes: &[u8], algorithm: &[u8], signature: &[u8]) -> Result<bool> {
    let key = usable(cert)?;
    let expected = if key.id() == Id::EC { ALG_ECDSA } else { ALG_RSA };
    let pss = key.id() == Id::RSA && algorithm == fixed(ALG_PSS);
    if !pss && algorithm != fixed(expected) {
        return Ok(false);
    }
    let mut verifier = Verifier::new(MessageDigest::sha512(), &key)?;
    if pss {
        verifier.set_rsa_padding(Padding::PKCS1_PSS)?;
        verifier.set_rsa_mgf1_md(MessageDigest::sha512())?;
        verifier.set_rsa_pss_saltlen(RsaPssSaltlen::custom(64))?;
    }
    Ok(verifier.verify_oneshot(signature, attributes).unwrap_or(false)) // an error is a signature of a wrong form
}
