use crate::agreement::{names_originator, wrap};
use crate::der::*;
use crate::entity::{header, new_message_id};
use crate::keys::{key_id, usable};
use crate::open::MAX_SEGMENT;
use crate::{refuse, subject, Identity, Result};
use openssl::asn1::Asn1Time;
use openssl::bn::BigNumContext;
use openssl::ec::{EcGroup, EcKey, PointConversionForm};
use openssl::encrypt::Encrypter;
use openssl::hash::MessageDigest;
use openssl::nid::Nid;
use openssl::pkey::{Id, PKey};
use openssl::rand::rand_bytes;
use openssl::rsa::Padding;
use openssl::sha::{sha256, sha512};
use openssl::sign::Signer;
use openssl::symm::{encrypt_aead, Cipher};
use openssl::x509::X509;
use std::collections::BTreeMap;
use time::OffsetDateTime;

/// Seals messages by one policy.
pub struct Writer {
    /// Signs, or agrees.
    pub identity: Identity,
    pub recipients: Vec<X509>,
    pub quality: String,
}

impl Writer {
    /// Seals a payload for the address: as one envelope, or as the segments of a large message.
    pub fn seal(&self, address: &str, body: &str, content_type: &str, payload: &[u8]) -> Result<Vec<u8>> {
        let id = new_message_id()?;
        if payload.len() <= MAX_SEGMENT {
            return self.seal_entity(&[&header(&id, address, body, content_type, None), payload].concat());
        }
        let mut all = Vec::new();
        let count = payload.len().div_ceil(MAX_SEGMENT);
        for (part, number) in payload.chunks(MAX_SEGMENT).zip(1..) {
            let place = format!("{number}{}", if number == count { " last" } else { "" });
            all.extend(self.seal_entity(&[&header(&id, address, body, content_type, Some(place)), part].concat())?);
        }
        Ok(all)
    }

    /// Seals a header with its payload.
    pub fn seal_entity(&self, entity: &[u8]) -> Result<Vec<u8>> {
        match self.quality.as_str() {
            "integrity" => self.sign(entity),
            "privacy" => self.encrypt(&self.sign(entity)?),
            "confidentiality" | "authenticity" => self.encrypt(entity),
            other => {
                refuse("quality", format!("{other:?}: not one of integrity, privacy, confidentiality, authenticity"))
            }
        }
    }

    fn sign(&self, entity: &[u8]) -> Result<Vec<u8>> {
        let attribute = |kind, value: &[u8]| tlv(0x30, &[&fixed(kind), &tlv(0x31, &[value])]);
        let cert = self.identity.cert.to_der()?;
        let cert_hash = tlv(0x30, &[&tlv(0x30, &[&tlv(0x30, &[&tlv(0x04, &[&sha256(&cert)])])])]);
        let mut attributes = set(
            0x31,
            vec![
                attribute(ATTR_CONTENT_TYPE, &fixed(OID_DATA)),
                attribute(ATTR_SIGNING_TIME, &signing_time()),
                attribute(ATTR_MESSAGE_DIGEST, &tlv(0x04, &[&sha512(entity)])),
                attribute(ATTR_SIGNING_CERT, &cert_hash),
            ],
        );
        let signature = Signer::new(MessageDigest::sha512(), &self.identity.key)?.sign_oneshot_to_vec(&attributes)?;
        attributes[0] = 0xa0; // signed as a SET OF, written as [0]
        let algorithm = fixed(if self.identity.key.id() == Id::RSA { ALG_RSA } else { ALG_ECDSA });
        let (version, sha) = (fixed(VERSION_3), fixed(ALG_SHA512));
        let name = tlv(0x80, &[&key_id(&self.identity.cert)?]);
        let signer = tlv(0x30, &[&version, &name, &sha, &attributes, &algorithm, &tlv(0x04, &[&signature])]);
        let content = tlv(0x30, &[&fixed(OID_DATA), &tlv(0xa0, &[&tlv(0x04, &[entity])])]);
        let data = tlv(0x30, &[&version, &tlv(0x31, &[&sha]), &content, &tlv(0xa0, &[&cert]), &tlv(0x31, &[&signer])]);
        Ok(tlv(0x30, &[&fixed(OID_SIGNED_DATA), &tlv(0xa0, &[&data])]))
    }

    /// Uses a new data key for each envelope, so the counter of its nonce is 0.
    fn encrypt(&self, content: &[u8]) -> Result<Vec<u8>> {
        let (mut key, mut nonce, mut tag) = ([0; 32], [0; 12], [0; 16]);
        rand_bytes(&mut key)?;
        rand_bytes(&mut nonce[..4])?;
        let infos = set(0x31, self.recipient_infos(&key)?);
        let ciphertext = encrypt_aead(Cipher::aes_256_gcm(), &key, Some(&nonce), &[], content, &mut tag)?;
        let algorithm = tlv(0x30, &[&fixed(OID_AES_GCM), &tlv(0x30, &[&tlv(0x04, &[&nonce]), &fixed(TAG_LENGTH)])]);
        let content = tlv(0x30, &[&fixed(OID_DATA), &algorithm, &tlv(0x80, &[&ciphertext])]);
        let data = tlv(0x30, &[&fixed(VERSION_0), &infos, &content, &tlv(0x04, &[&tag])]);
        Ok(tlv(0x30, &[&fixed(OID_AUTH_DATA), &tlv(0xa0, &[&data])]))
    }

    /// Wraps the data key for each recipient: one info per RSA key, and one per curve.
    fn recipient_infos(&self, key: &[u8]) -> Result<Vec<Vec<u8>>> {
        let mut infos = Vec::new();
        let mut curves: BTreeMap<i32, (Nid, Vec<&X509>)> = BTreeMap::new();
        let now = Asn1Time::days_from_now(0)?;
        for cert in &self.recipients {
            let public = usable(cert)?;
            if *cert.not_before() > now || *cert.not_after() < now {
                return refuse("recipient", format!("the certificate of {:?} is not valid now", subject(cert)));
            }
            if public.id() == Id::RSA {
                let mut encrypter = Encrypter::new(&public)?;
                encrypter.set_rsa_padding(Padding::PKCS1_OAEP)?;
                encrypter.set_rsa_oaep_md(MessageDigest::sha256())?;
                encrypter.set_rsa_mgf1_md(MessageDigest::sha256())?;
                let mut wrapped = vec![0; public.size()];
                let length = encrypter.encrypt(key, &mut wrapped)?;
                let name = tlv(0x80, &[&key_id(cert)?]);
                infos.push(tlv(0x30, &[&fixed(VERSION_2), &name, &fixed(ALG_OAEP), &tlv(0x04, &[&wrapped[..length]])]));
            } else if let Some(curve) = public.ec_key()?.group().curve_name() {
                curves.entry(curve.as_raw()).or_insert((curve, Vec::new())).1.push(cert);
            }
        }
        for (curve, certs) in curves.values() {
            infos.push(self.agreement(key, *curve, certs)?);
        }
        let one_curve = infos.len() == 1 && curves.len() == 1;
        if infos.is_empty() || self.quality == "authenticity" && !one_curve {
            return refuse("recipient", "none, or under authenticity not all with EC keys on the curve of the sender");
        }
        Ok(infos)
    }

    /// Makes the KeyAgreeRecipientInfo of a curve: by the sender's key under authenticity, else by a new one.
    fn agreement(&self, key: &[u8], curve: Nid, certs: &[&X509]) -> Result<Vec<u8>> {
        let group = EcGroup::from_curve_name(curve)?;
        let authentic = self.quality == "authenticity";
        let private = if authentic { self.identity.key.clone() } else { PKey::from_ec_key(EcKey::generate(&group)?)? };
        let form = PointConversionForm::UNCOMPRESSED;
        let point = match private.ec_key() {
            Ok(ec) if ec.group().curve_name() == Some(curve) => {
                ec.public_key().to_bytes(&group, form, &mut *BigNumContext::new()?)?
            }
            _ => {
                return refuse("recipient", "authenticity needs a sender with an EC key on the curve of the recipients")
            }
        };
        let mut ukm = None;
        if authentic {
            let mut random = [0; 16];
            rand_bytes(&mut random)?;
            ukm = Some([random.to_vec(), names_originator(&random, &point)].concat());
        }
        let mut keys = Vec::new();
        for cert in certs {
            let wrapped = wrap(&private, cert.public_key()?.as_ref(), ukm.as_deref(), key)?;
            keys.extend(tlv(0x30, &[&tlv(0xa0, &[&tlv(0x04, &[&key_id(cert)?])]), &tlv(0x04, &[&wrapped])]));
        }
        let originator = tlv(0xa0, &[&tlv(0xa1, &[&fixed(ALG_EC_KEY), &tlv(0x03, &[&[0], &point])])]);
        let ukm = ukm.map_or(Vec::new(), |ukm| tlv(0xa1, &[&tlv(0x04, &[&ukm])]));
        Ok(tlv(0xa1, &[&fixed(VERSION_3), &originator, &ukm, &fixed(ALG_AGREE), &tlv(0x30, &[&keys])]))
    }
}

/// UTCTime until 2049, then GeneralizedTime.
fn signing_time() -> Vec<u8> {
    let t = OffsetDateTime::now_utc();
    let rest = format!("{:02}{:02}{:02}{:02}{:02}Z", u8::from(t.month()), t.day(), t.hour(), t.minute(), t.second());
    if t.year() < 2050 {
        tlv(0x17, &[format!("{:02}{rest}", t.year() % 100).as_bytes()])
    } else {
        tlv(0x18, &[format!("{:04}{rest}", t.year()).as_bytes()])
    }
}
