// SPDX-License-Identifier: Apache-2.0
import { announce, byId, el, saveFile, shown, table } from '../dom.js';
import { PolicyEditor } from '../editor.js';
import { pairs, remedyText } from '../facts.js';
import { showHistory } from '../history.js';
import { Failure } from '../jolokia.js';
import { LONGEST, readFormer, readPolicies, readText } from '../policies.js';

const PAGE = 50;
const NAMES = 5;
const PROBLEMS_INTERVAL = 60_000;

/** The policies, of which a page is shown at a time. */
export class PoliciesView {
  title = 'Policies';
  #control;
  #mayEdit;
  #editor;
  #version = null;
  #document = {};
  #all = [];
  #found = [];
  #page = 0;
  #search = el('input', { id: 'search', type: 'search', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', oninput: () => this.#find() });
  #count = el('p', { class: 'count', id: 'count' });
  #recovery = el('p', { class: 'soft', id: 'recovery', hidden: true });
  #certificates = el('p', { class: 'soft', id: 'certificates', hidden: true });
  #list = el('div', { id: 'list' });
  #failing = el('button', { type: 'button', id: 'failing', hidden: true, 'aria-pressed': 'false', onclick: () => {
    this.#failing.setAttribute('aria-pressed', String(this.#failing.getAttribute('aria-pressed') !== 'true'));
    this.#turnBack();
  } });
  #problems = new Problems([]);
  #problemsOf = null;
  #problemsDue = 0;
  #pages = el('nav', { class: 'pages', 'aria-label': 'Pages of policies' });
  #loading = null;
  #typing = null;

  constructor(control, mayEdit, trouble) {
    this.#control = control;
    this.#mayEdit = mayEdit;
    this.#editor = new PolicyEditor(control, () => this.refresh().catch(trouble));
    const file = el('input', { type: 'file', id: 'file', hidden: true, accept: '.json,application/json', onchange: () => {
      this.#import(file.files[0]).catch(trouble);
      file.value = '';
    } });
    this.content = el('div', {}, el('div', { class: 'card' },
      el('div', { class: 'bar' },
        el('div', { class: 'grow' }, el('label', { for: 'search' }, 'Search patterns, recipients and signers'), this.#search),
        this.#failing,
        mayEdit ? el('button', { type: 'button', class: 'primary', id: 'add', onclick: () => this.#editor.add(this.#version, (pattern) => this.#all.some(({ policy }) => policy.pattern === pattern)) }, 'Add a policy') : null,
        el('button', { type: 'button', id: 'history', onclick: () => showHistory(control, mayEdit ? (former) => this.#rollback(former).catch(trouble) : null).catch(trouble) }, 'History'),
        el('button', { type: 'button', id: 'export', onclick: () => this.#export().catch(trouble) }, 'Export'),
        mayEdit ? [el('button', { type: 'button', id: 'import', onclick: () => file.click() }, 'Import'), file] : null),
      mayEdit ? null : el('p', { class: 'soft', id: 'read-only' }, 'You may read the policies. Changes need the role of their administrators.'),
      this.#count, this.#recovery, this.#certificates, this.#list, this.#pages));
  }

  /** Reads the policies, unless they are being read. */
  refresh() {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** Reads the policies again if a status has another version, and their problems if its reason changed, or after a while. */
  async status(status) {
    if (this.#version !== null && this.#version !== status.PolicyVersion) {
      await this.refresh();
    } else if (this.#version !== null && (this.#problemsOf !== status.Reason || performance.now() >= this.#problemsDue)) {
      await this.#readProblems();
      this.#filter();
      this.#show();
    }
    this.#problemsOf = status.Reason;
  }

  async #readProblems() {
    this.#problemsDue = performance.now() + PROBLEMS_INTERVAL;
    this.#problems = new Problems((await this.#control.read(['PolicyFindings'])).PolicyFindings);
  }

  /** Shows a policy, and its form to an administrator. A problem of the policy has this pattern. */
  async open(pattern) {
    await this.refresh();
    const found = this.#all.find(({ policy }) => this.#problems.isOf(pattern, policy));
    this.#search.value = found?.policy.pattern ?? pattern;
    this.#failing.setAttribute('aria-pressed', 'false');
    this.#turnBack();
    if (found !== undefined && this.#mayEdit) {
      this.#editor.edit(this.#version, found.policy);
    }
  }

  async #export() {
    const text = await readText(this.#control);
    saveFile(`signet-policies-${this.#control.broker.replace(/[^\w.-]/g, '_')}-${JSON.parse(text).version}.json`, text);
  }

  async #rollback(former) {
    await this.refresh();
    const text = await readFormer(this.#control, former);
    this.#editor.replace(this.#version, `Roll back to version ${former}`, text, this.#difference(JSON.parse(text)),
      'Roll back', (now) => `Rolled back to version ${former}, which is version ${now} now.`);
  }

  async #import(file) {
    if (file === undefined) {
      return;
    }
    if (file.size > LONGEST) {
      throw new Failure('The file is too long for a policy file.');
    }
    let text;
    let document;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      document = JSON.parse(text);
    } catch {
      // said below
    }
    if (!Array.isArray(document?.policies)) {
      throw new Failure('The file is no policy file: it has no JSON object with policies.');
    }
    if (this.#version === null) {
      await this.refresh();
    }
    this.#editor.replace(this.#version, 'Import policies', text, [el('p', {}, 'From ', shown(file.name), '.'), ...this.#difference(document)]);
  }

  /** Returns what a document adds to the policies in force, changes and removes. */
  #difference(document) {
    const now = new Map(this.#all.map(({ policy }) => [policy.pattern, canonical(policy)]));
    let added = 0;
    let changed = 0;
    for (const policy of document.policies) {
      const before = now.get(policy?.pattern);
      added += before === undefined ? 1 : 0;
      changed += before !== undefined && before !== canonical(policy) ? 1 : 0;
      now.delete(policy?.pattern);
    }
    const removed = [...now.keys()];
    const rules = ['unmatched', 'wildcards', 'recovery'].filter((key) => canonical(document[key] ?? null) !== canonical(this.#document[key] ?? null));
    return [
      el('p', {}, `It adds ${added.toLocaleString()}, changes ${changed.toLocaleString()} and removes ${removed.length.toLocaleString()} of the ${this.#all.length.toLocaleString()} policies`,
        removed.length === 0 ? '.' : el('span', {}, ': ', names(removed), '.')),
      ...certificateChanges(this.#document.certificates ?? {}, document.certificates ?? {}),
      ...rules.map((key) => el('p', {}, pairs({ [key]: { before: this.#document[key] ?? 'default', after: document[key] ?? 'default' } }))),
    ];
  }

  async #read() {
    await this.#readProblems();
    const document = await readPolicies(this.#control, (part) => {
      this.#count.textContent = `Loading … ${Math.round(part * 100)} %`;
    });
    this.#version = document.version;
    this.#document = { ...document, policies: null };
    const recovery = document.recovery ?? [];
    this.#recovery.hidden = recovery.length === 0;
    this.#recovery.replaceChildren('Recovery recipients of every policy that encrypts: ', names(recovery));
    const certificates = Object.keys(document.certificates ?? {}).sort();
    this.#certificates.hidden = certificates.length === 0;
    this.#certificates.replaceChildren('Certificates that the broker keeps with the policies: ', names(certificates));
    this.#all = document.policies.map((policy) => ({ policy, text: [policy.pattern, ...(policy.recipients ?? []), ...(policy.signers ?? []), ...(policy.brokers ?? [])].join('\n').toLowerCase() }))
      .sort((a, b) => (a.policy.pattern < b.policy.pattern ? -1 : 1));
    this.#filter();
    this.#show();
  }

  #find() {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#turnBack(), 150);
  }

  /** Shows the first page of what is wanted now. */
  #turnBack() {
    this.#page = 0;
    this.#filter();
    this.#show();
    announce(this.#count.textContent);
  }

  #filter() {
    const wanted = this.#search.value.trim().toLowerCase();
    const failing = this.#all.filter(({ policy }) => this.#problems.of(policy).length > 0);
    this.#failing.hidden = failing.length === 0;
    this.#failing.textContent = `Only those with problems (${failing.length.toLocaleString()})`;
    const all = this.#failing.getAttribute('aria-pressed') === 'true' && failing.length > 0 ? failing : this.#all;
    this.#found = wanted === '' ? all : all.filter(({ text }) => text.includes(wanted));
  }

  #show() {
    const last = Math.max(0, Math.ceil(this.#found.length / PAGE) - 1);
    this.#page = Math.min(this.#page, last);
    const found = this.#found.length;
    const all = this.#all.length;
    this.#count.textContent = `${found === all ? '' : `${found.toLocaleString()} of `}${all.toLocaleString()} ${all === 1 ? 'policy' : 'policies'}, version ${this.#version}. `
      + `Messages to other addresses ${this.#document.unmatched === 'reject' ? 'are rejected' : 'pass unchanged'}.`;
    const columns = [{ label: 'Pattern', class: 'wide' }, { label: 'Quality' }, { label: 'Recipients', class: 'wide' }, { label: 'Signers', class: 'wide' }];
    if (this.#mayEdit) {
      columns.push({ label: 'Actions', class: 'actions' });
    }
    const rows = this.#found.slice(this.#page * PAGE, (this.#page + 1) * PAGE).map(({ policy }) => this.#row(policy));
    const focused = this.#list.contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null;
    this.#list.replaceChildren(rows.length === 0 ? el('p', { class: 'soft' }, 'No policies.') : table('Policies', columns, rows));
    if (focused !== null) { // a button that was made again, or is gone
      const again = [...this.#list.querySelectorAll('button')].find((button) => button.getAttribute('aria-label') === focused);
      (again ?? byId('title-policies')).focus();
    }
    this.#pages.hidden = last === 0;
    this.#pages.replaceChildren(
      this.#turn('Previous', this.#page - 1, this.#page > 0),
      el('span', {}, `Page ${(this.#page + 1).toLocaleString()} of ${(last + 1).toLocaleString()}`),
      this.#turn('Next', this.#page + 1, this.#page < last));
  }

  #turn(label, page, possible) {
    return el('button', { type: 'button', disabled: !possible, onclick: () => {
      this.#page = page;
      this.#show();
      announce(`Page ${page + 1}`);
      const buttons = [...this.#pages.querySelectorAll('button')];
      (buttons.find((button) => button.textContent === label && !button.disabled) ?? buttons.find((button) => !button.disabled))?.focus();
    } }, label);
  }

  #row(policy) {
    const cells = [
      el('div', {}, shown(policy.pattern, 'code'), this.#problems.of(policy).map(({ problem, remedy, weight }) => el('p', {},
        weight === 'WARNING' ? el('strong', { class: 'badge warn' }, 'Warning') : el('strong', { class: 'badge bad' }, 'Problem'), ' ', shown(problem, 'span'), '; ', shown(remedyText(remedy), 'span')))),
      el('span', {}, policy.quality, policy.where === 'client' ? el('span', { class: 'soft' }, ' at the client') : null),
      names(policy.recipients), names(policy.signers),
    ];
    if (this.#mayEdit) {
      const pattern = policy.pattern;
      cells.push(el('span', {},
        el('button', { type: 'button', 'aria-label': `Edit ${pattern}`, onclick: () => this.#editor.edit(this.#version, policy) }, 'Edit'), ' ',
        el('button', { type: 'button', 'aria-label': `Remove ${pattern}`, onclick: () => this.#editor.remove(this.#version, policy) }, 'Remove')));
    }
    return cells;
  }
}

function names(list = []) {
  if (list.length === 0) {
    return el('span', { class: 'soft' }, '–');
  }
  const first = list.slice(0, NAMES).flatMap((name, i) => [i === 0 ? '' : ', ', shown(name)]);
  return el('span', {}, first, list.length > NAMES ? el('span', { class: 'soft' }, ` and ${list.length - NAMES} more`) : null);
}

/** Tells by name which certificates a document brings in addition, otherwise, or no more. */
function certificateChanges(before, after) {
  const named = (text, list) => (list.length === 0 ? [] : [el('p', {}, text, names(list.sort()), '.')]);
  const all = Object.keys(after);
  return [
    ...named('It adds the certificates of ', all.filter((name) => !Object.hasOwn(before, name))),
    ...named('It replaces the certificates of ', all.filter((name) => Object.hasOwn(before, name) && before[name] !== after[name])),
    ...named('It removes the certificates of ', Object.keys(before).filter((name) => !Object.hasOwn(after, name))),
  ];
}

/** Returns a policy as a text that does not depend on the order of its keys. */
function canonical(policy) {
  return JSON.stringify(policy, (key, value) => (value === null || typeof value !== 'object' || Array.isArray(value) ? value
    : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))));
}

/** The problems of policies. The broker names their patterns with a question mark for what does not print. */
class Problems {
  #byPattern = new Map();

  /** Each finding has the pattern, the problem, the remedy and the weight. */
  constructor(findings) {
    for (const [pattern, problem, remedy, weight] of findings) {
      const key = pattern.includes('?') ? masked(pattern) : pattern;
      this.#byPattern.set(key, [...this.#byPattern.get(key) ?? [], { problem, remedy, weight }]);
    }
  }

  of({ pattern }) {
    return this.#byPattern.get(pattern) ?? this.#byPattern.get(masked(pattern)) ?? [];
  }

  /** Returns whether a finding with this pattern is about a policy. */
  isOf(pattern, policy) {
    return pattern === policy.pattern || (pattern.includes('?') && masked(pattern) === masked(policy.pattern));
  }
}

function masked(pattern) {
  return pattern.replace(/[^ -~]/gu, '?');
}
