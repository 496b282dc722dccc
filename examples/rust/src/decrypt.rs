use crate::agreement::{names_originator, unwrap};
use crate::der::*;
use crate::keys::key_id;
use crate::{refuse, Reader, Result};
use openssl::bn::BigNumContext;
use openssl::ec::{EcKey, EcPoint, PointConversionForm};
use openssl::encrypt::Decrypter;
use openssl::hash::MessageDigest;
use openssl::pkey::{Id, PKey};
use openssl::rsa::Padding;
use openssl::symm::{decrypt_aead, Cipher};
use openssl::x509::X509KeyUsage;

const MAX_RECIPIENTS: usize = 1_000;
const MAX_WRAPPED: usize = 1_024;
const MAX_KEY_ID: usize = 64;

/// What an envelope has for one recipient.
struct Wrapped {
    key: Vec<u8>,
    /// The public key that an EC recipient agrees with.
    point: Option<Vec<u8>>,
    ukm: Option<Vec<u8>>,
}

impl Reader {
    /// Opens an AuthEnvelopedData. Returns the content, and the public key of the sender that the envelope proves.
    pub(crate) fn decrypt(&self, envelope: &[u8]) -> Result<(Vec<u8>, Option<Vec<u8>>)> {
        let mut info = Cursor(envelope).only(0x30)?;
        info.must(OID_AUTH_DATA)?;
        let mut data = info.only(0xa0)?.only(0x30)?;
        data.must(VERSION_0)?;
        let infos = data.take(0x31)?;
        let mut content = data.take(0x30)?;
        let tag = data.only(0x04)?.0;
        content.must(OID_DATA)?;
        let mut algorithm = content.take(0x30)?;
        let ciphertext = content.only(0x80)?.0;
        algorithm.must(OID_AES_GCM)?;
        let mut parameters = algorithm.only(0x30)?;
        let nonce = parameters.take(0x04)?.0;
        parameters.must(TAG_LENGTH)?;
        parameters.end()?;
        if nonce.len() != 12 || tag.len() != 16 {
            return refuse("malformed", "a nonce or tag of another length");
        }
        let (mine, alone) = self.find_recipient(infos)?;
        let Some(key) = self.unwrap(&mine)? else {
            return refuse("not authentic", "the data key does not unwrap");
        };
        match decrypt_aead(Cipher::aes_256_gcm(), &key, Some(nonce), &[], ciphertext, tag) {
            Ok(clear) => Ok((clear, mine.point.filter(|_| alone && mine.ukm.is_some()))),
            Err(_) => refuse("not authentic", "the tag is wrong"),
        }
    }

    /// Finds the wrapped key for this identity, without using its private key. Tells whether no info is beside it.
    fn find_recipient(&self, mut infos: Cursor) -> Result<(Wrapped, bool)> {
        let id = key_id(&self.identity.cert)?;
        let (mut mine, mut count, mut groups) = (None, 0, 0);
        while infos.end().is_err() {
            groups += 1;
            if infos.has(0x30) {
                let mut recipient = infos.take(0x30)?;
                recipient.must(VERSION_2)?;
                let name = recipient.take(0x80)?.within(MAX_KEY_ID)?;
                if recipient.must(ALG_OAEP).is_err() {
                    return refuse("policy", "an RSA recipient without OAEP and SHA-256");
                }
                let key = recipient.only(0x04)?.within(MAX_WRAPPED)?.to_vec();
                if name == id && mine.is_none() {
                    mine = Some(Wrapped { key, point: None, ukm: None });
                }
                count += 1;
            } else if infos.has(0xa1) {
                let (found, recipients) = read_agreement(infos.take(0xa1)?, &id)?;
                mine = mine.or(found);
                count += recipients.max(1); // one without keys counts, too
            } else {
                infos.element()?; // ML-KEM and others
                count += 1;
            }
            if count > MAX_RECIPIENTS {
                return refuse("malformed", format!("more than {MAX_RECIPIENTS} recipients"));
            }
        }
        match mine {
            Some(mine) => Ok((mine, groups == 1)),
            None => refuse("not a recipient", "the message is encrypted for others"),
        }
    }

    /// Uses the private key once.
    fn unwrap(&self, mine: &Wrapped) -> Result<Option<Vec<u8>>> {
        let private = &self.identity.key;
        match (private.id(), &mine.point) {
            (Id::RSA, None) if mine.key.len() == private.size() => {
                let mut decrypter = Decrypter::new(private)?;
                decrypter.set_rsa_padding(Padding::PKCS1_OAEP)?;
                decrypter.set_rsa_oaep_md(MessageDigest::sha256())?;
                decrypter.set_rsa_mgf1_md(MessageDigest::sha256())?;
                let mut out = vec![0; private.size()];
                let length = decrypter.decrypt(&mine.key, &mut out);
                Ok(length.ok().filter(|l| *l == 32).map(|l| out[..l].to_vec()))
            }
            (Id::EC, Some(point)) => {
                let own = private.ec_key()?;
                let mut context = BigNumContext::new()?;
                let point = match EcPoint::from_bytes(own.group(), point, &mut context) {
                    Ok(on_curve) if point[0] == 4 => on_curve, // the format writes no other form
                    _ => return Ok(None),
                };
                let public = PKey::from_ec_key(EcKey::from_public_key(own.group(), &point)?)?;
                unwrap(private, &public, mine.ukm.as_deref(), &mine.key)
            }
            _ => Ok(None),
        }
    }

    /// Finds the certificate of a sender that agreed, and checks it like that of a signer.
    pub(crate) fn check_sender(&self, point: &[u8]) -> Result<String> {
        let mut context = BigNumContext::new()?;
        for cert in &self.trust.certs {
            if let Ok(key) = cert.public_key().and_then(|key| key.ec_key()) {
                let form = PointConversionForm::UNCOMPRESSED;
                if key.public_key().to_bytes(key.group(), form, &mut context)? == point {
                    return self.trust.check(cert, &[], X509KeyUsage::KEY_AGREEMENT);
                }
            }
        }
        refuse("signer rejected", "the certificate of the sender is not known")
    }
}

/// Reads a KeyAgreeRecipientInfo and counts its recipients.
fn read_agreement(mut info: Cursor, id: &[u8]) -> Result<(Option<Wrapped>, usize)> {
    info.must(VERSION_3)?;
    let mut originator = info.take(0xa0)?.only(0xa1)?;
    originator.must(ALG_EC_KEY)?;
    let bits = originator.only(0x03)?.within(256)?;
    let Some((0, point)) = bits.split_first() else {
        return refuse("malformed", "a public key with unused bits");
    };
    let ukm = if info.has(0xa1) { Some(info.take(0xa1)?.only(0x04)?.within(64)?) } else { None };
    if ukm.is_some_and(|ukm| ukm.len() != 32 || names_originator(&ukm[..16], point) != ukm[16..]) {
        return refuse("malformed", "user keying material that does not name the originator");
    }
    if info.must(ALG_AGREE).is_err() {
        return refuse("policy", "an EC recipient with another key derivation than by SHA-256");
    }
    let mut keys = info.only(0x30)?;
    let (mut mine, mut count) = (None, 0);
    while keys.end().is_err() && count <= MAX_RECIPIENTS {
        let mut recipient = keys.take(0x30)?;
        let name = recipient.take(0xa0)?.only(0x04)?.within(MAX_KEY_ID)?;
        let key = recipient.only(0x04)?.0;
        if key.len() != 40 {
            return refuse("malformed", "a wrapped key of another length");
        }
        if name == id && mine.is_none() {
            mine = Some(Wrapped { key: key.to_vec(), point: Some(point.to_vec()), ukm: ukm.map(<[u8]>::to_vec) });
        }
        count += 1;
    }
    Ok((mine, count))
}
