import { randomBytes } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { Refusal } from './der.mjs';

const MAX_HEADER = 16_384;
const MAX_LINES = 128;
const MAX_INFLATED = 67_108_864;

/** Encrypted content commits to its key by this beginning (docs/format.md, Key commitment). */
export const ENTITY_START = Buffer.from('Signet-Version: 1\r\nContent-Transfer-Encoding: binary\r\n');

const REQUIRED = ['signet-version', 'message-id', 'signet-address', 'signet-body'];
const ENCODED = ['content-type', 'signet-address', 'signet-sender', 'signet-policy'];
const KNOWN = [...REQUIRED, ...ENCODED, 'signet-segment', 'signet-encoding'];
const PROPERTY = /^signet-property-[a-z0-9-]+$/;

/** Writes a text for a line of the header: each text has one encoding. */
function encodeText(text) {
  const bytes = Buffer.from(text.toWellFormed?.() ?? text);
  return Array.from(bytes, (b, i) => {
    const plain = b >= 0x20 && b <= 0x7e && b !== 0x25 && (b !== 0x20 || (i > 0 && i < bytes.length - 1));
    return plain ? String.fromCharCode(b) : `%${b.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

function decodeText(value) {
  const bytes = value.replace(/%([0-9A-F]{2})/g, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
  const text = Buffer.from(bytes, 'latin1').toString();
  if (encodeText(text) !== value) throw new Refusal('malformed', `header: '${value}' is not encoded as a writer does`);
  return text;
}

/** Writes the lines and the blank one; the segment is given if the message is large. */
export function header(id, address, body, contentType, segment) {
  const lines = [`Content-Type: ${encodeText(contentType)}`, `Message-ID: ${id}`];
  lines.push(`Signet-Address: ${encodeText(address)}`, `Signet-Body: ${body}`);
  if (segment) lines.push(`Signet-Segment: ${segment}`);
  return Buffer.concat([ENTITY_START, Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)]);
}

export const newMessageId = () => `<${randomBytes(16).toString('hex')}>`;

/** The lines, by name in lower case and with texts decoded, and the payload. */
export function parseEntity(entity) {
  const end = entity.subarray(0, MAX_HEADER).indexOf('\r\n\r\n');
  if (end < 0) throw new Refusal('malformed', `header: no blank line within ${MAX_HEADER} bytes`);
  const lines = entity.toString('latin1', 0, end).split('\r\n');
  if (lines.length > MAX_LINES) throw new Refusal('malformed', `header: more than ${MAX_LINES} lines`);
  const values = new Map();
  for (const line of lines) {
    const parts = /^([\x21-\x39\x3b-\x7e]+): ([\x20-\x7e]*)$/.exec(line);
    if (!parts) throw new Refusal('malformed', `header: ${JSON.stringify(line)} is no line`);
    const name = parts[1].toLowerCase();
    if (values.has(name)) throw new Refusal('malformed', `header: '${name}' occurs twice`);
    values.set(name, parts[2]);
  }
  judge(values);
  return [values, entity.subarray(end + 4)];
}

/** Checks the lines and decodes their texts. */
function judge(values) {
  for (const name of REQUIRED) {
    if (!values.has(name)) throw new Refusal('malformed', `header: '${name}' is missing`);
  }
  for (const [name, value] of values) {
    if (name.startsWith('signet-') && !KNOWN.includes(name) && !PROPERTY.test(name)) {
      throw new Refusal('malformed', `header: unknown line '${name}'`);
    }
    if (ENCODED.includes(name) || PROPERTY.test(name)) values.set(name, decodeText(value));
  }
  const rules = [
    ['signet-version', /^1$/],
    ['content-transfer-encoding', /^binary$/],
    ['message-id', /^<[0-9a-f]{32}>$/],
    ['signet-segment', /^[1-9][0-9]{0,8}( last)?$/],
    ['signet-encoding', values.has('signet-segment') ? /(?!)/ : /^deflate$/],
    ['signet-property-hidden', /(?!)/], // this program does not read hidden properties
  ];
  for (const [name, rule] of rules) {
    if (values.has(name) && !rule.test(values.get(name))) {
      throw new Refusal('malformed', `header: '${name}' has a value that this program does not read`);
    }
  }
}

/** Decompresses zlib data within the limit of the format. */
export function inflate(data) {
  try {
    const { buffer, engine } = inflateSync(data, { maxOutputLength: MAX_INFLATED, info: true });
    if (engine.bytesWritten === data.length) return buffer;
  } catch {
    // refused below
  }
  throw new Refusal('malformed', 'payload: bad or too long when decompressed');
}
