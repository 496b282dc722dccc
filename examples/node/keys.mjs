import { execFileSync } from 'node:child_process';
import { createCipheriv, createDecipheriv, createHash, createPrivateKey, diffieHellman, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALG_AES_WRAP, Cursor, Refusal, SUPP_PUB, tlv } from './der.mjs';

const OID_KEY_ID = Buffer.from('0603551d0e', 'hex');
const OID_KEY_USAGE = Buffer.from('0603551d0f', 'hex');
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];
const KEY_AGREEMENT = 0x08;

export const sha256 = (...parts) => createHash('sha256').update(Buffer.concat(parts)).digest();
export const sha512 = (bytes) => createHash('sha512').update(bytes).digest();

/** Reads all certificates of a PEM file. */
export function readCertificates(file) {
  const found = readFileSync(file, 'latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!found) throw new Error(`${file}: no certificate in PEM`);
  return found.map((pem) => new X509Certificate(pem));
}

/** Reads an unencrypted private key and its certificate, both in PEM. */
export function readIdentity(keyFile, certFile) {
  const cert = readCertificates(certFile)[0];
  let key;
  try {
    key = createPrivateKey(readFileSync(keyFile));
  } catch (e) {
    throw new Error(`${keyFile}: not an unencrypted private key in PEM (${e.code})`);
  }
  if (!cert.checkPrivateKey(key)) throw new Error(`${keyFile}: not the key of ${certFile}`);
  usable(cert);
  return { key, cert };
}

/** Checks the kind and size of the key of a certificate, and returns the key. */
export function usable(cert) {
  const key = cert.publicKey;
  const { namedCurve, modulusLength, publicExponent } = key.asymmetricKeyDetails ?? {};
  const ec = key.asymmetricKeyType === 'ec' && CURVES.includes(namedCurve);
  const rsa = key.asymmetricKeyType === 'rsa' && modulusLength >= 2048 && modulusLength <= 8192 && publicExponent < 2n ** 64n;
  if (ec || rsa) return key;
  throw new Refusal('signer rejected', `${subject(cert)}: neither EC P-256, P-384, P-521 nor RSA of 2048 to 8192 bits`);
}

/** The distinguished name in the order of RFC 4514. */
export const subject = (cert) => cert.subject.split('\n').reverse().join(',');

/** The algorithm of a public key, and its bits: of an EC key the point. */
export function publicBits(key) {
  const info = new Cursor(key.export({ type: 'spki', format: 'der' })).only(0x30);
  return [info.element(), info.only(0x03).rest.subarray(1)];
}

/** The value of an extension, or undefined. */
function extension(cert, oid) {
  const data = new Cursor(cert.raw).take(0x30).take(0x30);
  while (!data.atEnd && !data.has(0xa3)) data.element();
  const list = data.atEnd ? data : data.only(0xa3).only(0x30);
  while (!list.atEnd) {
    const one = list.take(0x30);
    if (one.begins(oid)) {
      one.must(oid);
      if (one.has(0x01)) one.element(); // critical
      return one.only(0x04);
    }
  }
  return undefined;
}

/** The subject key identifier, by which envelopes name signers and recipients. */
export function keyId(cert) {
  return extension(cert, OID_KEY_ID)?.only(0x04).rest ?? createHash('sha1').update(publicBits(cert.publicKey)[1]).digest();
}

/** Whose signatures count. Node has no validation of paths, so the command openssl does it. */
export class Trust {
  #accepted = new Map(); // when a certificate and those beside it were last accepted

  /**
   * @param certs trusted issuers, and the certificates of signers
   * @param signer the subject that a signer must have, as CN=broker,O=Example; undefined for anyone trusted
   */
  constructor(certs, signer, now = () => Date.now()) {
    Object.assign(this, { certs, signer, now });
  }

  /** Rejects a signer that is not trusted, or not the expected one. `others` may be issuers of it. */
  check(cert, others, agrees = false) {
    const name = subject(cert);
    usable(cert);
    const memory = sha256(cert.raw, ...others.map((other) => other.raw)).toString('hex');
    const age = this.now() - this.#accepted.get(memory);
    if (!(age >= 0 && age < 60_000)) {
      this.#verify(cert, others, name);
      if (this.#accepted.size > 1000) this.#accepted.clear();
      this.#accepted.set(memory, this.now());
    }
    const usage = extension(cert, OID_KEY_USAGE)?.only(0x03).rest[1];
    if (agrees && usage !== undefined && !(usage & KEY_AGREEMENT)) {
      throw new Refusal('signer rejected', `'${name}': its key usage does not allow it`);
    }
    if (this.signer !== undefined && name !== this.signer) throw new Refusal('signer not expected', `'${name}'`);
    return name;
  }

  #verify(cert, others, name) {
    // for openssl, certificates of version 1 and others without basic constraints are issuers, too
    const anchors = this.certs.filter((each) => each.ca || each.raw.equals(cert.raw));
    const between = others.filter((each) => each.ca);
    if (!anchors.length) throw new Refusal('signer rejected', `'${name}': no trusted issuer`);
    const folder = mkdtempSync(join(tmpdir(), 'signer-'));
    const file = (name, certs) => {
      writeFileSync(join(folder, name), certs.map((each) => each.toString()).join(''));
      return join(folder, name);
    };
    const options = ['verify', '-CAfile', file('trusted', anchors), '-no-CApath', '-no-CAstore', '-partial_chain'];
    options.push('-purpose', 'smimesign', '-verify_depth', '3', '-auth_level', '2', '-attime', `${Math.floor(this.now() / 1000)}`);
    if (between.length) options.push('-untrusted', file('others', between));
    try {
      execFileSync('openssl', [...options, file('signer', [cert])], { stdio: 'pipe' });
    } catch (e) {
      const [reason] = e.stderr?.toString().match(/error \d+ [^\n]*/) ?? [e.message];
      throw new Refusal('signer rejected', `'${name}': ${reason}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

/** The key-encryption key of X9.63: both sides compute the same (docs/format.md, Recipients). */
function agree(privateKey, publicKey, ukm) {
  const z = diffieHellman({ privateKey, publicKey });
  const info = tlv(0x30, ALG_AES_WRAP, ukm ? tlv(0xa0, tlv(0x04, ukm)) : Buffer.alloc(0), SUPP_PUB);
  return sha256(z, Buffer.from([0, 0, 0, 1]), info);
}

const WRAP_START = Buffer.alloc(8, 0xa6); // RFC 3394

export function wrap(privateKey, publicKey, ukm, key) {
  const cipher = createCipheriv('id-aes256-wrap', agree(privateKey, publicKey, ukm), WRAP_START);
  return Buffer.concat([cipher.update(key), cipher.final()]);
}

/** Throws if the wrapped key is not of this agreement. */
export function unwrap(privateKey, publicKey, ukm, wrapped) {
  const cipher = createDecipheriv('id-aes256-wrap', agree(privateKey, publicKey, ukm), WRAP_START);
  return Buffer.concat([cipher.update(wrapped), cipher.final()]);
}

/** The last half of the ukm of a sender that agrees. */
export const namesOriginator = (random, point) => sha256(Buffer.from('Signet originator'), random, point).subarray(0, 16);
