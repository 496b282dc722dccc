import { createDecipheriv, createPublicKey, privateDecrypt, constants } from 'node:crypto';
import * as der from './der.mjs';
import { ENTITY_START, inflate, parseEntity } from './entity.mjs';
import { keyId, namesOriginator, publicBits, unwrap } from './keys.mjs';
import { verify } from './verify.mjs';

const { Cursor, Refusal } = der;

const MAX_BODY = 68_157_440; // an AMQP library gives the whole body in memory
const MAX_ENVELOPE = 2_097_152; // of several
const MAX_SHORT = 16; // segments that are not full, and again behind each full one
export const MAX_SEGMENT = 1_048_576;
const MAX_RECIPIENTS = 1_000;
const MAX_WRAPPED = 1_024;
const MAX_KEY_ID = 64;

const beginsAs = (bytes, oid) => bytes[0] === 0x30 && bytes.subarray(0, 20).includes(oid);

/** Opens messages for one identity, by one policy: `quality` is what the policy of the address requires. */
export class Reader {
  constructor(identity, trust, quality) {
    Object.assign(this, { identity, trust, quality });
  }

  /**
   * Opens the body of a message that was received from the address. The body is one envelope, or the segments of a large
   * message one behind the other. Returns all of the payload or none of it: { header, payload, quality, signer }, where
   * signer is the subject of the proved signer or sender, '' under confidentiality.
   */
  open(body, address) {
    if (body.length > MAX_BODY) throw new Refusal('malformed', `more than ${MAX_BODY} bytes`);
    if (!beginsAs(body, der.OID_SIGNED_DATA) && !beginsAs(body, der.OID_AUTH_DATA)) {
      throw new Refusal('unprotected', 'the message is in clear');
    }
    const rest = new Cursor(body);
    const parts = [];
    for (let short = 0; !rest.atEnd; ) {
      const envelope = rest.element();
      const alone = parts.length === 0 && rest.atEnd;
      if (!alone && envelope.length > MAX_ENVELOPE) throw new Refusal('malformed', 'a segment is too long');
      const part = this.#openOne(envelope, address);
      const place = part.header.get('signet-segment');
      if (place === undefined) {
        if (!alone) throw new Refusal('malformed', 'bytes behind the envelope, or an envelope without a number among segments');
        if (part.header.has('signet-encoding')) part.payload = inflate(part.payload);
        return part;
      }
      part.header.delete('signet-segment');
      parts.push(part);
      short = part.payload.length === MAX_SEGMENT ? 0 : short + 1;
      const facts = (each) => JSON.stringify([each.quality, each.signer, [...each.header].sort()]);
      if (place !== `${parts.length}${rest.atEnd ? ' last' : ''}`) {
        throw new Refusal('malformed', `segment '${place}' in place ${parts.length}, or the last one is missing`);
      } else if (facts(part) !== facts(parts[0])) {
        throw new Refusal('malformed', `segment ${parts.length} is of another message`);
      } else if (part.payload.length > MAX_SEGMENT || short > MAX_SHORT) {
        throw new Refusal('malformed', `segment ${parts.length} is too long, or there are too many short ones`);
      }
    }
    return { ...parts[0], payload: Buffer.concat(parts.map((part) => part.payload)) };
  }

  /** Opens one envelope by the rules of opening, in their order. */
  #openOne(envelope, address) {
    let [quality, content, sender, signer] = ['integrity', envelope, undefined, ''];
    if (beginsAs(envelope, der.OID_AUTH_DATA)) {
      [content, sender] = this.#decrypt(envelope);
      if (!content.subarray(0, ENTITY_START.length).equals(ENTITY_START)) {
        quality = 'privacy'; // verify checks all bytes of the other beginning
      } else {
        quality = sender && this.quality === 'authenticity' ? 'authenticity' : 'confidentiality';
      }
    }
    if (quality !== this.quality && quality !== 'privacy') {
      throw new Refusal('policy', `${quality} where ${this.quality} is required`);
    }
    if (quality === 'integrity' || quality === 'privacy') [content, signer] = verify(content, this.trust);
    if (quality === 'authenticity') signer = this.#checkSender(sender);
    const [header, payload] = parseEntity(content);
    if (header.get('signet-address') !== address) {
      throw new Refusal('address', `sealed for '${header.get('signet-address')}', received from '${address}'`);
    }
    return { header, payload, quality, signer };
  }

  /** Opens an AuthEnvelopedData. Returns the content, and the public key of the sender that the envelope proves. */
  #decrypt(envelope) {
    const info = new Cursor(envelope).only(0x30);
    info.must(der.OID_AUTH_DATA);
    const data = info.only(0xa0).only(0x30);
    data.must(der.VERSION_0);
    const infos = data.take(0x31);
    const content = data.take(0x30);
    const tag = data.only(0x04).rest;
    content.must(der.OID_DATA);
    const algorithm = content.take(0x30);
    const ciphertext = content.only(0x80).rest;
    algorithm.must(der.OID_AES_GCM);
    const parameters = algorithm.only(0x30);
    const nonce = parameters.take(0x04).rest;
    parameters.must(der.TAG_LENGTH);
    parameters.end();
    if (nonce.length !== 12 || tag.length !== 16) throw new Refusal('malformed', 'a nonce or tag of another length');
    const [mine, alone] = this.#findRecipient(infos);
    const key = this.#unwrap(mine);
    try {
      const cipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 }).setAuthTag(tag);
      const clear = Buffer.concat([cipher.update(ciphertext), cipher.final()]);
      return [clear, alone && mine.ukm ? mine.point : undefined];
    } catch {
      throw new Refusal('not authentic', 'the tag is wrong');
    }
  }

  /** Finds the wrapped key for this identity, without using its private key. Tells whether no info is beside it. */
  #findRecipient(infos) {
    const id = keyId(this.identity.cert);
    let [mine, count, groups] = [undefined, 0, 0];
    for (; !infos.atEnd; groups++) {
      if (infos.has(0x30)) {
        const recipient = infos.take(0x30);
        recipient.must(der.VERSION_2);
        const name = recipient.take(0x80).within(MAX_KEY_ID);
        if (!recipient.begins(der.ALG_OAEP)) throw new Refusal('policy', 'an RSA recipient without OAEP and SHA-256');
        recipient.must(der.ALG_OAEP);
        const key = recipient.only(0x04).within(MAX_WRAPPED);
        if (name.equals(id)) mine ??= { key };
        count++;
      } else if (infos.has(0xa1)) {
        const [found, recipients] = readAgreement(infos.take(0xa1), id);
        mine ??= found;
        count += Math.max(recipients, 1); // one without keys counts, too
      } else {
        infos.element(); // ML-KEM and others
        count++;
      }
      if (count > MAX_RECIPIENTS) throw new Refusal('malformed', `more than ${MAX_RECIPIENTS} recipients`);
    }
    if (!mine) throw new Refusal('not a recipient', 'the message is encrypted for others');
    return [mine, groups === 1];
  }

  /** Uses the private key once. */
  #unwrap({ key, point, ukm }) {
    const own = this.identity.key;
    try {
      let dataKey;
      if (own.asymmetricKeyType === 'rsa' && !point) {
        dataKey = privateDecrypt({ key: own, oaepHash: 'sha256', padding: constants.RSA_PKCS1_OAEP_PADDING }, key);
      } else if (own.asymmetricKeyType === 'ec' && point?.[0] === 4) {
        const [algorithm] = publicBits(this.identity.cert.publicKey);
        const spki = der.tlv(0x30, algorithm, der.tlv(0x03, Buffer.alloc(1), point));
        const other = createPublicKey({ key: spki, format: 'der', type: 'spki' }); // checks that it is on the curve
        dataKey = unwrap(own, other, ukm, key);
      }
      if (dataKey?.length === 32) return dataKey;
    } catch {
      // refused below
    }
    throw new Refusal('not authentic', 'the data key does not unwrap');
  }

  /** Finds the certificate of a sender that agreed, and checks it like that of a signer. */
  #checkSender(point) {
    const isOf = (cert) => cert.publicKey.asymmetricKeyType === 'ec' && publicBits(cert.publicKey)[1].equals(point);
    const cert = this.trust.certs.find(isOf);
    if (!cert) throw new Refusal('signer rejected', 'the certificate of the sender is not known');
    return this.trust.check(cert, [], true);
  }
}

/** Reads a KeyAgreeRecipientInfo and counts its recipients. */
function readAgreement(info, id) {
  info.must(der.VERSION_3);
  const originator = info.take(0xa0).only(0xa1);
  originator.must(der.ALG_EC_KEY);
  const bits = originator.only(0x03).within(256);
  if (bits[0] !== 0) throw new Refusal('malformed', 'a public key with unused bits');
  const point = bits.subarray(1);
  const ukm = info.has(0xa1) ? info.take(0xa1).only(0x04).within(64) : undefined;
  if (ukm && (ukm.length !== 32 || !namesOriginator(ukm.subarray(0, 16), point).equals(ukm.subarray(16)))) {
    throw new Refusal('malformed', 'user keying material that does not name the originator');
  }
  if (!info.begins(der.ALG_AGREE)) throw new Refusal('policy', 'an EC recipient with another key derivation than by SHA-256');
  info.must(der.ALG_AGREE);
  const keys = info.only(0x30);
  let [mine, count] = [undefined, 0];
  for (; !keys.atEnd && count <= MAX_RECIPIENTS; count++) {
    const recipient = keys.take(0x30);
    const name = recipient.take(0xa0).only(0x04).within(MAX_KEY_ID);
    const key = recipient.only(0x04).rest;
    if (key.length !== 40) throw new Refusal('malformed', 'a wrapped key of another length');
    if (name.equals(id)) mine ??= { key, point, ukm };
  }
  return [mine, count];
}
