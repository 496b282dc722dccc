// SPDX-License-Identifier: Apache-2.0
import { RateChart } from '../chart.js';
import { el, facts, shown, time } from '../dom.js';

const CLASSES = { READY: 'good', DEGRADED: 'warn', FAILED: 'bad' };
const MEANINGS = {
  READY: 'Each policy can be applied.',
  DEGRADED: 'Some messages are rejected, or changed policies are not in force.',
  FAILED: 'The plugin rejects all messages to protected addresses.',
};

/** The state of the plugin, and how fast its counters grow. */
export class StateView {
  title = 'State';
  #facts = el('div', { class: 'card' });
  #charts = [
    ['sealed', new RateChart('Sealed', '--sealed')],
    ['passed', new RateChart('Passed', '--passed')],
    ['rejected', new RateChart('Rejected', '--rejected')],
  ];

  constructor() {
    this.content = el('div', {}, this.#facts, el('section', { class: 'card', 'aria-labelledby': 'counters' },
      el('h2', { id: 'counters' }, 'Messages per second'),
      el('div', { class: 'charts' }, this.#charts.map(([, chart]) => chart.element))));
  }

  /** Shows a status that was read now. */
  status(status) {
    const change = status.change;
    const from = change.from === undefined ? null : el('span', {}, ' from ', shown(change.from));
    const by = change.by === undefined ? null : el('span', {}, ' by ', shown(change.by));
    this.#facts.replaceChildren(facts([
      ['State', el('span', {}, el('strong', { class: `badge ${CLASSES[status.State] ?? ''}`, id: 'state' }, status.State), ' ', MEANINGS[status.State] ?? '')],
      ['Reason', status.Reason === null ? null : el('span', {}, shown(status.Reason, 'span'), ' ', el('a', { href: '#findings' }, 'All findings'))],
      ['Policies', el('span', {}, 'version ', el('span', { id: 'policy-version' }, String(status.PolicyVersion)), change.store === undefined ? '' : `, kept in the ${change.store}`)],
      ['Last change', change.at === undefined ? (status.PolicyVersion === 0 ? 'none yet' : 'unknown') : el('span', {}, time(change.at), by, from)],
      ['Problem', status.PolicyProblem === null ? null : shown(status.PolicyProblem, 'span')],
      ['Large messages', el('span', {}, status.LargeMessages, status.LargeMessagesReason === null ? '' : ': ', status.LargeMessagesReason === null ? '' : shown(status.LargeMessagesReason))],
      ['Waits for keys', status.KeyWaits.toLocaleString()],
      ['Unjudged', status.Unjudged === 0 ? null : `${status.Unjudged.toLocaleString()}: messages that reached the storage before the plugin`],
      ['Plugin', el('span', {}, 'version ', shown(status.Version))],
    ]));
    const now = performance.now() + performance.timeOrigin;
    this.#charts.forEach(([key, chart]) => chart.add(now, status[key[0].toUpperCase() + key.slice(1)]));
  }

  /** The counters were not read for a while. */
  gap() {
    this.#charts.forEach(([, chart]) => chart.gap());
  }
}
