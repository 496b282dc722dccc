// The vectors and attacks of the format, and changed envelopes, through the code that the programs use.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync, inflateSync } from 'node:zlib';
import * as der from '../der.mjs';
import { publicBits, readIdentity, subject, Trust } from '../keys.mjs';
import { MAX_SEGMENT, Reader } from '../open.mjs';
import { Writer } from '../seal.mjs';

const { Cursor, Refusal, tlv } = der;
const project = new URL('../../../', import.meta.url);
const SEALED_AT = Date.parse('2026-11-21T12:00:00Z');
const KINDS = {
  MalformedEnvelopeException: 'malformed',
  AuthenticationFailedException: 'not authentic',
  PolicyViolationException: 'policy',
  NotARecipientException: 'not a recipient',
  AddressMismatchException: 'address',
  SignerNotAuthorizedException: 'signer not expected',
  SignerRejectedException: 'signer rejected',
  UnprotectedMessageException: 'unprotected',
};

const load = (name) => JSON.parse(readFileSync(new URL(`envelope/src/test/resources/vectors/${name}.json`, project)));
const unhex = (digits) => Buffer.from(digits, 'hex');

function envelope(one) {
  return one['envelope-zlib'] ? inflateSync(Buffer.from(one['envelope-zlib'], 'base64')) : unhex(one.envelope);
}

/** One of the two identities of the vectors whose keys the programs support. */
function identity(name) {
  const { key, certificate } = load('identities').find((one) => one.name === name);
  return { key: createPrivateKey(key), cert: new X509Certificate(certificate) };
}

const ec = identity('test-p256');
const rsa = identity('test-rsa2048');
const trust = new Trust([ec.cert, rsa.cert], undefined, () => SEALED_AT);

const isUnsupported = (one) => one.require !== undefined || /ml/.test(one.identity ?? '');

/** Opens a case as it says. A case of keys that the programs do not support is opened with the EC key. */
function open(one) {
  const name = one.opener ?? (isUnsupported(one) ? 'test-p256' : one.identity);
  const certs = one.trusted ? [...trust.certs, new X509Certificate(one.trusted)] : trust.certs;
  const signer = one.signers && `CN=${one.signers},O=Signet test vectors`;
  const own = one.trusted || signer || one.now ? new Trust(certs, signer, () => (one.now ? Date.parse(one.now) : SEALED_AT)) : trust;
  return new Reader(name === 'test-rsa2048' ? rsa : ec, own, one.quality).open(envelope(one), one.address ?? 'orders.eu');
}

function assertRefused(open, kind, name) {
  assert.throws(open, (error) => error instanceof Refusal && (kind === undefined || error.kind === kind), name);
}

test('vector opens to its payload, or is refused if its keys are not supported', () => {
  let opened = 0;
  for (const one of load('accepted')) {
    if (isUnsupported(one)) {
      assertRefused(() => open(one), undefined, one.name);
      continue;
    }
    const { payload, quality, signer } = open(one);
    assert.deepEqual(payload, unhex(one.payload), one.name);
    assert.equal(quality, one.quality);
    assert.equal(signer, quality === 'confidentiality' ? '' : `CN=${one.identity},O=Signet test vectors`);
    opened++;
  }
  assert.equal(opened, 10);
});

test('rejected vector is refused for its reason', () => {
  for (const one of load('rejected')) {
    if (one.name === 'either-where-both-is-wanted') continue; // a policy that these programs cannot have
    assertRefused(() => open(one), isUnsupported(one) ? undefined : KINDS[one.expect], one.name);
  }
});

test('attack is refused', () => {
  for (const one of load('attacks')) assertRefused(() => open(one), undefined, one.name);
});

// Some of these open; a reader may refuse those that are not in DER.
test('hostile envelope takes no long time', () => {
  for (const one of load('hostile')) {
    const start = Date.now();
    if (one.expect) assertRefused(() => open(one), undefined, one.name);
    try {
      open(one);
    } catch (error) {
      assert.ok(error instanceof Refusal, `${one.name}: ${error}`);
    }
    assert.ok(Date.now() - start < 20_000, one.name);
  }
});

test('header is accepted or refused as the document says', () => {
  const document = readFileSync(new URL('docs/format.md', project), 'utf8');
  let [good, bad] = [0, 0];
  for (const [, rejected, name, lines] of document.matchAll(/^```(rejected-)?header (.*)\n([^`]*)^```$/gm)) {
    const entity = Buffer.from(`${lines.replaceAll('\n', '\r\n')}\r\nhello`);
    const body = new Writer(ec, [ec.cert], 'confidentiality').sealEntity(entity);
    const read = () => new Reader(ec, trust, 'confidentiality').open(body, 'orders.eu');
    if (rejected) {
      assertRefused(read, 'malformed', name);
      bad++;
    } else {
      assert.equal(read().payload.toString(), 'hello', name);
      good++;
    }
  }
  assert.ok(good >= 1 && bad >= 13, `${good} ${bad}`);
});

test('compressed payload opens only whole', () => {
  const lines = ['Signet-Version: 1', 'Content-Transfer-Encoding: binary', 'Message-ID: <00112233445566778899aabbccddeeff>'];
  lines.push('Signet-Address: orders.eu', 'Signet-Body: bytes', 'Signet-Encoding: deflate', '', '');
  const text = Buffer.alloc(100_000, 'x');
  const packed = deflateSync(text);
  const read = (payload) => {
    const entity = Buffer.concat([Buffer.from(lines.join('\r\n')), payload]);
    return new Reader(ec, trust, 'confidentiality').open(new Writer(ec, [ec.cert], 'confidentiality').sealEntity(entity), 'orders.eu');
  };
  assert.ok(read(packed).payload.equals(text));
  assertRefused(() => read(packed.subarray(0, -1)), 'malformed');
  assertRefused(() => read(Buffer.concat([packed, Buffer.alloc(1)])), 'malformed');
});

test('each byte changed or cut is refused', () => {
  for (const one of load('accepted')) {
    if (isUnsupported(one) || one.name.startsWith('large')) continue;
    const reader = new Reader(one.identity === 'test-rsa2048' ? rsa : ec, trust, one.quality);
    const good = envelope(one);
    for (let at = 0; at < good.length; at++) {
      for (const change of [0x01, 0xff]) {
        const changed = Buffer.from(good);
        changed[at] ^= change;
        assertRefused(() => reader.open(changed, 'orders.eu'), undefined, `${one.name}: byte ${at} changed by ${change}`);
      }
      assertRefused(() => reader.open(good.subarray(0, at), 'orders.eu'), undefined, `${one.name}: cut at ${at}`);
    }
  }
});

/** An identity with a certificate by an issuer, or by itself. */
function newIdentity(curve, name, issuer, isCa = false) {
  const folder = mkdtempSync(join(tmpdir(), 'identity-'));
  try {
    const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
    const options = ['-newkey', 'ec', '-pkeyopt', `ec_paramgen_curve:${curve}`, '-noenc', '-days', '2', '-subj', `/CN=${name}`];
    options.push('-addext', `keyUsage=critical,${isCa ? 'keyCertSign' : 'digitalSignature,keyAgreement'}`);
    if (issuer) {
      const files = [join(folder, 'issuer-cert'), join(folder, 'issuer-key')];
      writeFileSync(files[0], issuer.cert.toString());
      writeFileSync(files[1], issuer.key.export({ type: 'pkcs8', format: 'pem' }));
      const request = join(folder, 'request');
      execFileSync('openssl', ['req', ...options, '-keyout', key, '-out', request], { stdio: 'pipe' });
      const by = ['-CA', files[0], '-CAkey', files[1], '-CAcreateserial', '-copy_extensions', 'copy', '-days', '2'];
      execFileSync('openssl', ['x509', '-req', '-in', request, ...by, '-out', cert], { stdio: 'pipe' });
    } else {
      if (!isCa) options.push('-addext', 'basicConstraints=critical,CA:false');
      execFileSync('openssl', ['req', '-x509', ...options, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    }
    return readIdentity(key, cert);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('sealed message opens under each quality, curve and length', () => {
  for (const curve of ['P-256', 'P-384', 'P-521']) {
    const [alice, bob] = [newIdentity(curve, 'alice'), newIdentity(curve, 'bob')];
    const trust = new Trust([bob.cert], 'CN=bob');
    for (const quality of ['integrity', 'privacy', 'confidentiality', 'authenticity']) {
      const openers = quality === 'authenticity' ? [alice, bob] : [alice, bob, rsa];
      const writer = new Writer(bob, openers.map((each) => each.cert), quality);
      for (const length of [0, 5, MAX_SEGMENT, MAX_SEGMENT + 1, 3 * MAX_SEGMENT + 7]) {
        const payload = Buffer.alloc(length, 'x');
        const body = writer.seal('zürich.%', 'bytes', 'text/plain', payload);
        for (const opener of openers) {
          const message = new Reader(opener, trust, quality).open(body, 'zürich.%');
          assert.ok(message.payload.equals(payload) && message.quality === quality);
        }
      }
    }
  }
});

test('signer is accepted from a trusted issuer, and not from a trusted party or anyone', () => {
  const [ca, party] = [newIdentity('P-256', 'ca', undefined, true), newIdentity('P-256', 'party')];
  const trust = new Trust([ca.cert, party.cert], 'CN=bob');
  for (const issuer of [ca, party, undefined]) {
    const body = new Writer(newIdentity('P-256', 'bob', issuer), [], 'integrity').seal('a', 'bytes', 'text/plain', Buffer.from('hello'));
    const read = () => new Reader(party, trust, 'integrity').open(body, 'a');
    if (issuer === ca) assert.equal(read().signer, 'CN=bob');
    else assertRefused(read, 'signer rejected');
  }
});

/** An identity with a self-signed certificate of version 1, which has no extensions. */
function versionOne(name) {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const dn = tlv(0x30, tlv(0x31, tlv(0x30, Buffer.from('0603550403', 'hex'), tlv(0x0c, Buffer.from(name)))));
  const dates = tlv(0x30, ...['20000101000000Z', '20990101000000Z'].map((date) => tlv(0x18, Buffer.from(date))));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const content = tlv(0x30, Buffer.from([2, 1, 1]), der.ALG_ECDSA, dn, dates, dn, spki);
  const signature = tlv(0x03, Buffer.alloc(1), sign('sha512', content, key));
  return { key, cert: new X509Certificate(tlv(0x30, content, der.ALG_ECDSA, signature)) };
}

test('trusted party with a certificate of version 1 signs, and is no issuer', () => {
  const party = versionOne('party');
  const bob = newIdentity('P-256', 'bob', party);
  for (const signer of [party, bob]) {
    const body = new Writer(signer, [], 'integrity').seal('a', 'bytes', 'text/plain', Buffer.from('hello'));
    const read = () => new Reader(party, new Trust([party.cert], subject(signer.cert)), 'integrity').open(body, 'a');
    if (signer === party) assert.equal(read().signer, 'CN=party');
    else assertRefused(read, 'signer rejected');
  }
});

test('segments that are swapped, dropped or mixed are refused', () => {
  const bob = newIdentity('P-256', 'bob');
  const reader = new Reader(bob, new Trust([bob.cert], 'CN=bob'), 'privacy');
  const seal = () => {
    const rest = new Cursor(new Writer(bob, [bob.cert], 'privacy').seal('a', 'bytes', 'text/plain', Buffer.alloc(2 * MAX_SEGMENT + 1)));
    return [rest.element(), rest.element(), rest.element()];
  };
  const [a, b] = [seal(), seal()];
  assert.equal(reader.open(Buffer.concat(a), 'a').payload.length, 2 * MAX_SEGMENT + 1);
  const wrong = [[a[0]], [a[0], a[1]], [a[0], a[2]], [a[1], a[0], a[2]], [a[0], a[0], a[1], a[2]], [a[0], b[1], a[2]]];
  wrong.push([a[0], a[1], b[2]], [...a, a[2]], [...a, Buffer.alloc(1)]);
  for (const segments of wrong) assertRefused(() => reader.open(Buffer.concat(segments), 'a'), 'malformed');
});

test('recipient infos without keys count as recipients', () => {
  const [, point] = publicBits(ec.cert.publicKey);
  const originator = tlv(0xa0, tlv(0xa1, der.ALG_EC_KEY, tlv(0x03, Buffer.alloc(1), point)));
  const info = tlv(0xa1, der.VERSION_3, originator, der.ALG_AGREE, tlv(0x30));
  const algorithm = tlv(0x30, der.OID_AES_GCM, tlv(0x30, tlv(0x04, Buffer.alloc(12)), der.TAG_LENGTH));
  const content = tlv(0x30, der.OID_DATA, algorithm, tlv(0x80));
  for (const [count, kind] of [[1_000, 'not a recipient'], [1_001, 'malformed']]) {
    const infos = tlv(0x31, ...Array(count).fill(info));
    const data = tlv(0x30, der.VERSION_0, infos, content, tlv(0x04, Buffer.alloc(16)));
    const body = tlv(0x30, der.OID_AUTH_DATA, tlv(0xa0, data));
    assertRefused(() => new Reader(ec, trust, 'confidentiality').open(body, 'a'), kind, `${count}`);
  }
});

test('content that does not commit to its key is refused', () => {
  const body = new Writer(ec, [ec.cert], 'confidentiality').sealEntity(Buffer.from('Content-Type: text/plain\r\n\r\n'));
  assertRefused(() => new Reader(ec, trust, 'confidentiality').open(body, 'a'), 'malformed');
});
