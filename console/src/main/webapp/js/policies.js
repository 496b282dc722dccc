// SPDX-License-Identifier: Apache-2.0
// Reads the policies of a broker in parts, because they may be very many.
import { Failure } from './jolokia.js';

const PARTS_AT_ONCE = 12;
const LONGEST_PART = 30_000;

/** The longest document, in characters. */
export const LONGEST = 48 << 20;

const ATTEMPTS = 3;

/** Returns the document of the policies in force. `progress` gets the part that has been read, from 0 to 1. */
export async function readPolicies(control, progress = () => {}) {
  return JSON.parse(await readText(control, progress));
}

/** Returns the document of former policies. */
export async function readFormer(control, former) {
  return await readOnce(control, () => {}, 'listFormerPolicies', former);
}

/** Returns the text of the policies in force, as in a policy file. */
export async function readText(control, progress = () => {}) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const text = await readOnce(control, progress, 'listPolicies', 0);
    if (text !== null) {
      return text;
    }
  }
  throw new Failure('The policies change faster than they can be read; try again.');
}

/** Hands a document over in parts, and returns the upload, or an outcome if the broker takes none. */
export async function sendPolicies(control, version, text) {
  const begun = await control.call('beginPolicies', version);
  for (let offset = 0; begun.upload !== undefined && offset < text.length;) {
    const calls = [];
    while (calls.length < PARTS_AT_ONCE && offset < text.length) {
      const part = text.slice(offset, offset + LONGEST_PART).replace(/[\ud800-\udbff]$/, ''); // divides no character
      calls.push(['addPolicies', begun.upload, offset, part]);
      offset += part.length;
    }
    await control.callAll(calls);
  }
  return begun;
}

/** Returns null if the policies changed meanwhile. */
async function readOnce(control, progress, operation, wanted) {
  const { version, length, text: first } = await control.call(operation, wanted, 0);
  if (length > LONGEST) {
    throw new Failure('The policies are too long for this page; use signet policy list.');
  }
  const parts = [first];
  let end = first.length;
  while (end < length) {
    const offsets = Array.from({ length: PARTS_AT_ONCE }, (_, i) => end + i * first.length).filter((offset) => offset < length);
    const answers = await control.callAll(offsets.map((offset) => [operation, version, offset]));
    if (answers.some((answer) => answer.outcome !== undefined)) {
      return null;
    }
    const before = end;
    for (const answer of answers) {
      if (answer.offset === end) { // else a part ended early, and is asked for again
        parts.push(answer.text);
        end += answer.text.length;
      }
    }
    if (end === before) {
      throw new Failure('The broker sends the policies incompletely.');
    }
    progress(end / length);
  }
  return parts.join('');
}

/** Returns a text for the person who made a change. */
export function changeText(change) {
  const by = change.by === undefined ? '' : ` by '${change.by}'`;
  const from = change.from === undefined ? '' : ` from ${change.from}`;
  const at = change.at === undefined ? '' : ` at ${new Date(change.at).toLocaleString()}`;
  return `${by}${from}${at}`;
}
