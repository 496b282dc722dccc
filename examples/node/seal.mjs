import { constants, createCipheriv, generateKeyPairSync, publicEncrypt, randomBytes, sign as makeSignature } from 'node:crypto';
import * as der from './der.mjs';
import { header, newMessageId } from './entity.mjs';
import { keyId, namesOriginator, publicBits, sha256, sha512, subject, usable, wrap } from './keys.mjs';
import { MAX_SEGMENT } from './open.mjs';

const { set, tlv } = der;

/** Seals messages by one policy. The identity signs, or agrees. */
export class Writer {
  constructor(identity, recipients, quality) {
    Object.assign(this, { identity, recipients, quality });
  }

  /** Seals a payload for the address: as one envelope, or as the segments of a large message. */
  seal(address, body, contentType, payload) {
    const id = newMessageId();
    const count = Math.ceil(payload.length / MAX_SEGMENT);
    if (count <= 1) return this.sealEntity(Buffer.concat([header(id, address, body, contentType), payload]));
    const all = [];
    for (let number = 1; number <= count; number++) {
      const part = payload.subarray((number - 1) * MAX_SEGMENT, number * MAX_SEGMENT);
      const lines = header(id, address, body, contentType, `${number}${number === count ? ' last' : ''}`);
      all.push(this.sealEntity(Buffer.concat([lines, part])));
    }
    return Buffer.concat(all);
  }

  /** Seals a header with its payload. */
  sealEntity(entity) {
    switch (this.quality) {
      case 'integrity':
        return this.#sign(entity);
      case 'privacy':
        return this.#encrypt(this.#sign(entity));
      case 'confidentiality':
      case 'authenticity':
        return this.#encrypt(entity);
    }
    throw new Error(`quality '${this.quality}': not one of integrity, privacy, confidentiality, authenticity`);
  }

  #sign(entity) {
    const { key, cert } = this.identity;
    const attribute = (kind, value) => tlv(0x30, kind, tlv(0x31, value));
    const attributes = set(0x31, [
      attribute(der.ATTR_CONTENT_TYPE, der.OID_DATA),
      attribute(der.ATTR_SIGNING_TIME, signingTime()),
      attribute(der.ATTR_MESSAGE_DIGEST, tlv(0x04, sha512(entity))),
      attribute(der.ATTR_SIGNING_CERT, tlv(0x30, tlv(0x30, tlv(0x30, tlv(0x04, sha256(cert.raw)))))),
    ]);
    const signature = makeSignature('sha512', attributes, key);
    attributes[0] = 0xa0; // signed as a SET OF, written as [0]
    const algorithm = key.asymmetricKeyType === 'rsa' ? der.ALG_RSA : der.ALG_ECDSA;
    const name = tlv(0x80, keyId(cert));
    const signer = tlv(0x30, der.VERSION_3, name, der.ALG_SHA512, attributes, algorithm, tlv(0x04, signature));
    const content = tlv(0x30, der.OID_DATA, tlv(0xa0, tlv(0x04, entity)));
    const digests = tlv(0x31, der.ALG_SHA512);
    const data = tlv(0x30, der.VERSION_3, digests, content, tlv(0xa0, cert.raw), tlv(0x31, signer));
    return tlv(0x30, der.OID_SIGNED_DATA, tlv(0xa0, data));
  }

  /** Uses a new data key for each envelope, so the counter of its nonce is 0. */
  #encrypt(content) {
    const key = randomBytes(32);
    const nonce = Buffer.concat([randomBytes(4), Buffer.alloc(8)]);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const ciphertext = Buffer.concat([cipher.update(content), cipher.final()]);
    const algorithm = tlv(0x30, der.OID_AES_GCM, tlv(0x30, tlv(0x04, nonce), der.TAG_LENGTH));
    const encrypted = tlv(0x30, der.OID_DATA, algorithm, tlv(0x80, ciphertext));
    const infos = set(0x31, this.#recipientInfos(key));
    const data = tlv(0x30, der.VERSION_0, infos, encrypted, tlv(0x04, cipher.getAuthTag()));
    return tlv(0x30, der.OID_AUTH_DATA, tlv(0xa0, data));
  }

  /** Wraps the data key for each recipient: one info per RSA key, and one per curve. */
  #recipientInfos(key) {
    const infos = [];
    const curves = new Map();
    for (const cert of this.recipients) {
      const recipient = usable(cert);
      const now = Date.now();
      if (now < Date.parse(cert.validFrom) || now > Date.parse(cert.validTo)) {
        throw new Error(`recipient '${subject(cert)}': its certificate is not valid now`);
      }
      if (recipient.asymmetricKeyType === 'rsa') {
        const padding = constants.RSA_PKCS1_OAEP_PADDING;
        const wrapped = publicEncrypt({ key: recipient, oaepHash: 'sha256', padding }, key);
        infos.push(tlv(0x30, der.VERSION_2, tlv(0x80, keyId(cert)), der.ALG_OAEP, tlv(0x04, wrapped)));
      } else {
        const curve = recipient.asymmetricKeyDetails.namedCurve;
        curves.set(curve, [...(curves.get(curve) ?? []), cert]);
      }
    }
    for (const [curve, certs] of curves) infos.push(this.#agreement(key, curve, certs));
    const oneCurve = infos.length === 1 && curves.size === 1;
    if (infos.length === 0 || (this.quality === 'authenticity' && !oneCurve)) {
      throw new Error('no recipients, or under authenticity not all with EC keys on the curve of the sender');
    }
    return infos;
  }

  /** Makes the KeyAgreeRecipientInfo of a curve: by the sender's key under authenticity, else by a new one. */
  #agreement(key, curve, certs) {
    let { privateKey, publicKey } = { privateKey: this.identity.key, publicKey: this.identity.cert.publicKey };
    let [ukm, ukmField] = [undefined, Buffer.alloc(0)];
    if (this.quality !== 'authenticity') {
      ({ privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve }));
    } else if (publicKey.asymmetricKeyDetails.namedCurve !== curve) {
      throw new Error('authenticity needs a sender with an EC key on the curve of the recipients');
    }
    const [, point] = publicBits(publicKey);
    if (this.quality === 'authenticity') {
      const random = randomBytes(16);
      ukm = Buffer.concat([random, namesOriginator(random, point)]);
      ukmField = tlv(0xa1, tlv(0x04, ukm));
    }
    const keys = certs.map((cert) => {
      const wrapped = wrap(privateKey, cert.publicKey, ukm, key);
      return tlv(0x30, tlv(0xa0, tlv(0x04, keyId(cert))), tlv(0x04, wrapped));
    });
    const originator = tlv(0xa0, tlv(0xa1, der.ALG_EC_KEY, tlv(0x03, Buffer.alloc(1), point)));
    return tlv(0xa1, der.VERSION_3, originator, ukmField, der.ALG_AGREE, tlv(0x30, ...keys));
  }
}

/** UTCTime until 2049, then GeneralizedTime. */
function signingTime() {
  const now = new Date();
  const digits = `${now.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  return now.getUTCFullYear() < 2050 ? tlv(0x17, Buffer.from(digits.slice(2))) : tlv(0x18, Buffer.from(digits));
}
