//! The agreement of two EC keys on a data key (docs/format.md, Recipients).

use crate::der::{fixed, tlv, ALG_AES_WRAP, SUPP_PUB};
use crate::Result;
use openssl::aes::{unwrap_key, wrap_key, AesKey};
use openssl::derive::Deriver;
use openssl::pkey::{HasPublic, PKeyRef, Private, Public};
use openssl::sha::sha256;

/// The key-encryption key of X9.63: both sides compute the same.
fn agree<T: HasPublic>(private: &PKeyRef<Private>, public: &PKeyRef<T>, ukm: Option<&[u8]>) -> Result<[u8; 32]> {
    let mut deriver = Deriver::new(private)?;
    deriver.set_peer(public)?;
    let z = deriver.derive_to_vec()?;
    let ukm = ukm.map_or(Vec::new(), |ukm| tlv(0xa0, &[&tlv(0x04, &[ukm])]));
    let info = tlv(0x30, &[&fixed(ALG_AES_WRAP), &ukm, &fixed(SUPP_PUB)]);
    Ok(sha256(&[z.as_slice(), &[0, 0, 0, 1], &info].concat()))
}

pub fn wrap<T: HasPublic>(
    private: &PKeyRef<Private>,
    public: &PKeyRef<T>,
    ukm: Option<&[u8]>,
    key: &[u8],
) -> Result<Vec<u8>> {
    let kek = AesKey::new_encrypt(&agree(private, public, ukm)?).expect("a key of 32 bytes");
    let mut out = vec![0; 40];
    wrap_key(&kek, None, &mut out, key).expect("a key of 32 bytes");
    Ok(out)
}

/// None if the wrapped key of 40 bytes is not of this agreement.
pub fn unwrap(
    private: &PKeyRef<Private>,
    public: &PKeyRef<Public>,
    ukm: Option<&[u8]>,
    wrapped: &[u8],
) -> Result<Option<Vec<u8>>> {
    let kek = AesKey::new_decrypt(&agree(private, public, ukm)?).expect("a key of 32 bytes");
    let mut out = vec![0; 32];
    Ok(unwrap_key(&kek, None, &mut out, wrapped).ok().map(|_| out))
}

/// The last half of the ukm of a sender that agrees.
pub fn names_originator(random: &[u8], point: &[u8]) -> Vec<u8> {
    sha256(&[b"Signet originator", random, point].concat())[..16].to_vec()
}
