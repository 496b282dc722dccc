// SPDX-License-Identifier: Apache-2.0
// The views that show a list as it is now.
import { el, shown, table, time } from '../dom.js';

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
    this.#body.replaceChildren(...await this.read(this.#control));
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
    const columns = [{ label: 'Left' }, { label: 'Ends' }, { label: 'Use' }, { label: 'Name' }, { label: 'Subject' }];
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
    const columns = [{ label: 'Time' }, { label: 'Address' }, { label: 'Reason' }, { label: 'User' }, { label: 'From' }, { label: 'More', class: 'number' }];
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
    const columns = [{ label: 'Time' }, { label: 'Event' }, { label: 'Details' }];
    return [lines.length === 0 ? soft('The audit log is empty.') : table('Audit', columns, lines.map(({ at, event, broker, ...rest }) => [
      time(at), el('strong', {}, event),
      el('span', {}, Object.entries(rest).map(([key, value]) => el('span', {}, el('span', { class: 'soft' }, `${key} `),
        shown(typeof value === 'object' ? JSON.stringify(value) : value, 'code'), ' '))),
    ]))];
  }
}

/** What is wrong with the broker. */
export class FindingsView extends ListView {
  interval = 60_000;

  constructor(control) {
    super('Findings', 'What signet doctor finds in this broker: its configuration, policies, certificates and rights.', control);
  }

  async read(control) {
    const { findings, areas, artemis, time: at } = await control.call('listFindings');
    const columns = [{ label: 'Level' }, { label: 'Area' }, { label: 'What' }, { label: 'Remedy' }];
    return [
      el('p', { class: 'soft' }, `${findings.length === 0 ? 'Nothing is wrong' : `${findings.length} findings`} in ${areas.length} areas of Artemis ${artemis}, checked `, time(at)),
      ...(findings.length === 0 ? [] : [table('Findings', columns, findings.map(({ area, level, what, remedy }) => [
        el('strong', { class: `badge ${level === 'wrong' ? 'bad' : 'warn'}` }, level), area, shown(what, 'span'), shown(remedy, 'span')]))]),
    ];
  }
}
