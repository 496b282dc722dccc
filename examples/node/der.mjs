// DER, and the parts of an envelope that are the same in each one. It is read here, and not by a library: those for
// JavaScript also read BER, and look for ASN.1 inside the payload.

const fixed = (digits) => Buffer.from(digits, 'hex');

export const OID_DATA = fixed('06092a864886f70d010701');
export const OID_SIGNED_DATA = fixed('06092a864886f70d010702');
export const OID_AUTH_DATA = fixed('060b2a864886f70d0109100117'); // AuthEnvelopedData
export const OID_HASH_LIST = fixed('061569828ad5c2bcdee59aae9fade3c3e2fbeca6f46301'); // of a shared signature
export const OID_ENTITY = fixed('061569828ad5c2bcdee59aae9fade3c3e2fbeca6f46302');
export const OID_AES_GCM = fixed('060960864801650304012e');

export const ATTR_CONTENT_TYPE = fixed('06092a864886f70d010903');
export const ATTR_MESSAGE_DIGEST = fixed('06092a864886f70d010904');
export const ATTR_SIGNING_TIME = fixed('06092a864886f70d010905');
export const ATTR_SIGNING_CERT = fixed('060b2a864886f70d010910022f');

export const ALG_SHA512 = fixed('300b0609608648016503040203');
export const ALG_ECDSA = fixed('300a06082a8648ce3d040304'); // ecdsa-with-SHA512
export const ALG_RSA = fixed('300d06092a864886f70d01010d0500'); // sha512WithRSAEncryption
export const ALG_PSS = fixed(
  '303d06092a864886f70d01010a3030a00d300b0609608648016503040203a11a301806092a864886f70d010108' +
    '300b0609608648016503040203a203020140',
);
export const ALG_OAEP = fixed(
  '303806092a864886f70d010107302ba00d300b0609608648016503040201a11a301806092a864886f70d010108300b0609608648016503040201',
);
export const ALG_AGREE = fixed('301506062b8104010b01300b060960864801650304012d'); // X9.63 with SHA-256, AES-256 key wrap
export const ALG_EC_KEY = fixed('300906072a8648ce3d0201');
export const ALG_AES_WRAP = fixed('300b060960864801650304012d');
export const SUPP_PUB = fixed('a206040400000100'); // of ECC-CMS-SharedInfo: 256 bits

export const VERSION_0 = fixed('020100');
export const VERSION_2 = fixed('020102');
export const VERSION_3 = fixed('020103');
export const TAG_LENGTH = fixed('020110');

/** Why a message is not opened or sealed. `kind` names the rule. */
export class Refusal extends Error {
  constructor(kind, text) {
    super(`${kind}: ${text}`);
    this.kind = kind;
  }
}

const otherForm = () => new Refusal('malformed', 'the envelope is not of the form that this program reads');

function header(tag, length) {
  if (length < 0x80) return Buffer.from([tag, length]);
  const digits = length.toString(16);
  const bytes = fixed(digits.length % 2 ? `0${digits}` : digits);
  return Buffer.concat([Buffer.from([tag, 0x80 + bytes.length]), bytes]);
}

/** Writes one element: tag, length, the parts. */
export function tlv(tag, ...parts) {
  const content = Buffer.concat(parts);
  return Buffer.concat([header(tag, content.length), content]);
}

/** Writes a SET OF in the order of DER. */
export const set = (tag, elements) => tlv(tag, ...[...elements].sort(Buffer.compare));

/** Reads DER strictly. */
export class Cursor {
  constructor(bytes) {
    this.rest = bytes;
  }

  /** Reads one element of any tag and returns its header and content. */
  #next() {
    const [tag, first] = this.rest;
    const more = first < 0x80 ? 0 : first - 0x80;
    if (first === undefined || (tag & 0x1f) === 0x1f || (first >= 0x80 && (more < 1 || more > 4)) || this.rest.length < 2 + more) {
      throw otherForm();
    }
    const length = more ? this.rest.readUIntBE(2, more) : first;
    const start = header(tag, length); // its only form in DER
    if (!this.rest.subarray(0, 2 + more).equals(start) || this.rest.length - start.length < length) throw otherForm();
    const whole = this.rest.subarray(0, start.length + length);
    this.rest = this.rest.subarray(whole.length);
    return [whole, whole.subarray(start.length)];
  }

  /** Reads one element with its header. */
  element() {
    return this.#next()[0];
  }

  /** Reads one element and returns a cursor of its content. */
  take(tag) {
    if (!this.has(tag)) throw otherForm();
    return new Cursor(this.#next()[1]);
  }

  /** As take, and nothing comes behind it. */
  only(tag) {
    const content = this.take(tag);
    this.end();
    return content;
  }

  /** Reads bytes that have one form only. */
  must(der) {
    if (!this.begins(der)) throw otherForm();
    this.rest = this.rest.subarray(der.length);
  }

  begins(der) {
    return this.rest.subarray(0, der.length).equals(der);
  }

  has(tag) {
    return this.rest[0] === tag;
  }

  get atEnd() {
    return this.rest.length === 0;
  }

  end() {
    if (!this.atEnd) throw otherForm();
  }

  /** The content, if it is not longer than this. */
  within(max) {
    if (this.rest.length > max) throw new Refusal('malformed', `a field of more than ${max} bytes`);
    return this.rest;
  }
}
