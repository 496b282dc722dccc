import { constants, verify as verifySignature, X509Certificate } from 'node:crypto';
import * as der from './der.mjs';
import { keyId, sha256, sha512, usable } from './keys.mjs';

const { Cursor, Refusal } = der;

const MAX_CERTS = 5;
const MAX_CERT = 8_192;
const MAX_ATTRIBUTES = 16_384;
const MAX_SIGNATURE = 1_024;
const MAX_HASHES = 32;

/** Opens a SignedData. Returns the entity and the subject of the signer. */
export function verify(envelope, trust) {
  const info = new Cursor(envelope).only(0x30);
  info.must(der.OID_SIGNED_DATA);
  const data = info.only(0xa0).only(0x30);
  data.must(der.VERSION_3);
  const digests = data.take(0x31);
  digests.must(der.ALG_SHA512);
  digests.end();
  const content = data.take(0x30);
  const contentType = content.element();
  const signed = content.only(0xa0).only(0x04).rest;
  const certs = readCerts(data);
  const signer = data.only(0x31).only(0x30);
  signer.must(der.VERSION_3);
  const name = signer.take(0x80).rest;
  signer.must(der.ALG_SHA512);
  const attributes = signer.take(0xa0).within(MAX_ATTRIBUTES);
  const algorithm = signer.element();
  const signature = signer.take(0x04).within(MAX_SIGNATURE);
  const shared = contentType.equals(der.OID_HASH_LIST);
  let entity = signed;
  if (shared) {
    const attribute = signer.only(0xa1).only(0x30);
    attribute.must(der.OID_ENTITY);
    entity = attribute.only(0x31).only(0x04).rest;
  } else if (!contentType.equals(der.OID_DATA) || !signer.atEnd) {
    throw new Refusal('malformed', 'signed content of an unknown type, or an unsigned attribute');
  }
  const certHash = readAttributes(attributes, contentType, signed);
  if (shared && !isInList(signed, entity)) {
    throw new Refusal('not authentic', 'the entity is not in a good list of hashes');
  }
  const candidates = certs.length ? certs : trust.certs; // an envelope without certificates only names the signer's
  const cert = candidates.find((each) => sha256(each.raw).equals(certHash) && keyId(each).equals(name));
  if (!cert) {
    throw new Refusal('signer rejected', 'the certificate of the signer is neither in the message nor known');
  }
  if (!signatureIsRight(usable(cert), der.tlv(0x31, attributes), algorithm, signature)) {
    throw new Refusal('not authentic', 'the signature is wrong, or of another algorithm than with SHA-512');
  }
  return [entity, trust.check(cert, certs)];
}

function readCerts(data) {
  const certs = [];
  const list = data.has(0xa0) ? data.take(0xa0) : new Cursor(Buffer.alloc(0));
  while (!list.atEnd) {
    const raw = list.element();
    if (certs.length === MAX_CERTS || raw.length > MAX_CERT || raw[0] !== 0x30) {
      throw new Refusal('malformed', 'too many or too long certificates');
    }
    try {
      certs.push(new X509Certificate(raw));
      certs.at(-1).publicKey; // throws if it cannot be read
    } catch {
      throw new Refusal('malformed', 'a certificate that cannot be read');
    }
  }
  return certs;
}

/** Checks the signed attributes. Returns the SHA-256 of the certificate that they name. */
function readAttributes(attributes, contentType, signed) {
  const values = new Map();
  for (const list = new Cursor(attributes); !list.atEnd; ) {
    const attribute = list.take(0x30);
    const kind = attribute.element().toString('hex');
    const set = attribute.only(0x31);
    const value = set.element();
    set.end();
    if (values.size === 4 || values.has(kind)) {
      throw new Refusal('malformed', 'signed attributes: one occurs twice, or there are more than four');
    }
    values.set(kind, value);
  }
  const value = (kind) => values.get(kind.toString('hex')) ?? Buffer.alloc(0);
  if (value(der.ATTR_SIGNING_TIME).length === 0 || !value(der.ATTR_CONTENT_TYPE).equals(contentType)) {
    throw new Refusal('malformed', 'signed attributes: no signing time, or another content type');
  }
  if (!value(der.ATTR_MESSAGE_DIGEST).equals(der.tlv(0x04, sha512(signed)))) {
    throw new Refusal('not authentic', 'the digest of the content is wrong');
  }
  return new Cursor(value(der.ATTR_SIGNING_CERT)).only(0x30).only(0x30).only(0x30).only(0x04).rest;
}

/** Tells whether a list of hashes is in order and has that of the entity. */
function isInList(list, entity) {
  if (list.length % 32 !== 0 || list.length > 32 * MAX_HASHES) return false;
  const hashes = [];
  for (let at = 0; at < list.length; at += 32) hashes.push(list.subarray(at, at + 32));
  const inOrder = hashes.every((hash, i) => i === 0 || Buffer.compare(hashes[i - 1], hash) < 0);
  const own = sha256(entity);
  return inOrder && hashes.some((hash) => hash.equals(own));
}

function signatureIsRight(key, attributes, algorithm, signature) {
  if (key.asymmetricKeyType === 'ec') {
    return algorithm.equals(der.ALG_ECDSA) && verifySignature('sha512', attributes, key, signature);
  }
  if (algorithm.equals(der.ALG_PSS)) {
    const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 };
    return verifySignature('sha512', attributes, pss, signature);
  }
  return algorithm.equals(der.ALG_RSA) && verifySignature('sha512', attributes, key, signature);
}
