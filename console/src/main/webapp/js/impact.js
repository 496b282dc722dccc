// SPDX-License-Identifier: Apache-2.0
// What a judged change means for the messages of the broker.
import { el, shown, table } from './dom.js';
import { Failure } from './jolokia.js';

const LONGEST = 32 << 20;
const ROWS = 10;
const COUNTS = { clear: 'in clear', 'as-required': 'sealed as required', otherwise: 'sealed otherwise' };

/** Returns elements that tell the consequences of an accepted judgement. */
export async function impactOf(control, judged) {
  if (judged['impact-problem'] !== undefined) {
    return [el('p', {}, 'The broker did not look at its messages: ', shown(judged['impact-problem'], 'span'))];
  }
  return judged.impact === undefined ? [] : parts(JSON.parse(await read(control, judged)));
}

async function read(control, { impact, length, text }) {
  if (length > LONGEST) {
    throw new Failure('The consequences are too long for this page; use signet policy with --dry-run.');
  }
  let whole = text;
  while (whole.length < length) {
    const part = (await control.call('readImpact', impact, whole.length)).text;
    if (part === '') {
      throw new Failure('The broker sends the consequences incompletely.');
    }
    whole += part;
  }
  return whole;
}

function parts({ addresses, 'addresses-left-out': leftOut, 'queues-left-out': queuesLeftOut, 'temporary-addresses': temporary }) {
  const all = addresses.length + leftOut;
  const rows = addresses.slice(0, ROWS);
  const rest = [
    temporary > 0 ? `${number(temporary, 'temporary address', 'temporary addresses')} too` : null,
    queuesLeftOut > 0 ? `${number(queuesLeftOut, 'queue was', 'queues were')} not counted` : null,
    all > rows.length ? `${number(all - rows.length, 'further address', 'further addresses')}, with fewer messages` : null,
  ].filter((line) => line !== null);
  const columns = [{ label: 'Address', class: 'wide' }, { label: 'Before', class: 'wide' }, { label: 'After', class: 'wide' }, { label: 'Messages there now', class: 'wide' }];
  return [
    el('p', {}, all === 0 ? 'It touches no address that the broker has now.'
      : `It touches ${number(all, 'address', 'addresses')}; ${counts(addresses)}.`),
    all === 0 ? null : table('Touched addresses', columns, rows.map((entry) => [
      shown(entry.address, 'code'), rule(entry.before), rule(entry.after), counts([entry])])),
    rest.length === 0 ? null : el('p', { class: 'soft' }, `${rest.join('; ')}.`),
  ].filter((part) => part !== null);
}

function number(count, one, several) {
  return `${count.toLocaleString()} ${count === 1 ? one : several}`;
}

/** Returns the numbers of messages by their protection; a kind that this page does not know has its own name. */
function counts(addresses) {
  const sums = new Map();
  for (const { queue, messages, ...kinds } of addresses.flatMap((entry) => entry.queues)) {
    sums.set('all', (sums.get('all') ?? 0) + messages);
    Object.entries(kinds).filter(([, count]) => Number.isInteger(count)).forEach(([kind, count]) => sums.set(kind, (sums.get(kind) ?? 0) + count));
  }
  const all = sums.get('all') ?? 0;
  sums.delete('all');
  const kinds = [...sums].filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count.toLocaleString()} ${COUNTS[kind] ?? kind.replaceAll('-', ' ')}`);
  return all === 0 ? 'no messages lie there' : `${number(all, 'message lies', 'messages lie')} there: ${kinds.join(', ')}`;
}

function rule({ pattern, quality, unmatched, recipients = [] }) {
  return pattern === undefined ? el('span', {}, `no policy: ${unmatched}`)
    : el('span', {}, shown(pattern, 'code'), ` ${quality}`, recipients.length === 0 ? '' : ' for ', ...recipients.flatMap((name) => [shown(name), ' ']));
}
