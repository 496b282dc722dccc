// SPDX-License-Identifier: Apache-2.0
// The views that show a list as it is now.
import { el, shown, table, time } from '../dom.js';
import { pairs, remedyText } from '../facts.js';

/** A list that is read when it is shown, and again while it is visible. */
class ListView {
  #control;
  #body = el('div', { class: 'card' }, el('p', { class: 'soft' }, 'Loading …'));

  constructor(title, hint, control) {
    this.title = title;
    this.#control = control;
    this.content = el('div', {}, el('p', { class: 'soft' }, hint), this.#body);
  }

  async refresh() {
    const parts = await this.read(this.#control);
    const focused = [...this.#body.querySelectorAll('button')].indexOf(document.activeElement);
    this.#body.replaceChildren(...parts);
    if (focused >= 0) {
      this.#body.querySelectorAll('button')[focused]?.focus();
    }
  }
}

function soft(text) {
  return el('p', { class: 'soft' }, text);
}

/** The certificates that messages need, by the days to their end. */
export class CertificatesView extends ListView {
  interval = 60_000;

  constructor(control) {
    super('Certificates', 'Certificates that the policies need now: the broker’s own, those of recipients and signers, and trusted issuers. The first to end comes first.', control);
  }

  async read(control) {
    const { certificates, 'left-out': leftOut } = await control.call('listCertificates');
    const rows = certificates.map(({ kind, name, subject, until, days }) => [
      el('strong', { class: days < 0 ? 'bad' : days < 30 ? 'warn' : 'good' }, days < 0 ? 'ended' : `${days} ${days === 1 ? 'day' : 'days'}`),
      time(until), kind, shown(name, 'code'), shown(subject),
    ]);
    const columns = [{ label: 'Left' }, { label: 'Ends' }, { label: 'Use' }, { label: 'Name', class: 'wide' }, { label: 'Subject', class: 'wide' }];
    return [
      rows.length === 0 ? soft('The plugin has loaded no certificates.') : table('Certificates', columns, rows),
      leftOut > 0 ? soft(`${leftOut} more certificates end later.`) : null,
    ].filter((part) => part !== null);
  }
}

const REJECTED = 'message-rejected';

/** The messages that the plugin rejected last. */
export class RejectionsView extends ListView {
  interval = 10_000;

  constructor(control) {
    super('Rejections', 'The last rejected messages, the newest first. Each cause has at most one line in ten seconds.', control);
  }

  async read(control) {
    const lines = (await control.call('listAudit', 200)).lines.filter((line) => line.event === REJECTED).reverse();
    const columns = [{ label: 'Time' }, { label: 'Address', class: 'wide' }, { label: 'Reason', class: 'wide' }, { label: 'User', class: 'wide' }, { label: 'From', class: 'wide' }, { label: 'More', class: 'number' }];
    return [lines.length === 0 ? soft('No rejections are among the newest lines of the audit log.') : table('Rejections', columns, lines.map((line) => [
      time(line.at), shown(line.address ?? '–', 'code'),
      el('span', {}, el('strong', {}, line.reason ?? ''), ' ', shown(line.text ?? '')),
      shown(line.user ?? '–'), shown(line.from ?? '–'), line['left-out'] ?? 0,
    ]))];
  }
}

/** The newest lines of the audit log. */
export class AuditView extends ListView {
  interval = 10_000;

  constructor(control) {
    super('Audit', 'The newest lines of the audit log in the memory of the broker, the newest first.', control);
  }

  async read(control) {
    const lines = (await control.call('listAudit', 200)).lines.reverse();
    const columns = [{ label: 'Time' }, { label: 'Event' }, { label: 'Details', class: 'wide' }];
    return [lines.length === 0 ? soft('The audit log is empty.') : table('Audit', columns, lines.map(({ at, event, broker, ...rest }) => [
      time(at), el('strong', {}, event),
      pairs(rest['left-out'] === 0 ? { ...rest, 'left-out': undefined } : rest),
    ]))];
  }
}

/** What is wrong with the broker. */
export class FindingsView extends ListView {
  interval = 60_000;
  #mayEdit;
  #open;

  /** `open` shows the policy of a pattern. */
  constructor(control, mayEdit, open) {
    super('Findings', 'What signet doctor finds in this broker: its configuration, policies, certificates and rights.', control);
    this.#mayEdit = mayEdit;
    this.#open = open;
  }

  async read(control) {
    const { findings, areas, artemis, time: at } = await control.call('listFindings');
    const { PolicyFindings: ofPolicies } = await control.read(['PolicyFindings']);
    const columns = [{ label: 'Level' }, { label: 'Area' }, { label: 'What', class: 'wide' }, { label: 'Remedy', class: 'wide' }];
    const button = (what) => {
      const pattern = ofPolicies.find(([name]) => what.startsWith(`'${name}': `))?.[0];
      return pattern === undefined ? null : el('p', {}, el('button', { type: 'button', onclick: () => this.#open(pattern) }, this.#mayEdit ? 'Edit the policy' : 'Show the policy'));
    };
    return [
      el('p', { class: 'soft' }, `${findings.length === 0 ? 'Nothing is wrong' : `${findings.length} findings`} in ${areas.length} areas of Artemis ${artemis}, checked `, time(at)),
      ...(findings.length === 0 ? [] : [table('Findings', columns, findings.map(({ area, level, what, remedy }) => [
        el('strong', { class: `badge ${level === 'wrong' ? 'bad' : 'warn'}` }, level), area, shown(what, 'span'),
        el('div', {}, shown(remedyText(remedy), 'span'), area === 'policies' ? button(what) : null)]))]),
    ];
  }
}
