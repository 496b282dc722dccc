// SPDX-License-Identifier: Apache-2.0
import { announce, byId, el, shown, table } from '../dom.js';
import { PolicyEditor } from '../editor.js';
import { readPolicies } from '../policies.js';

const PAGE = 50;
const NAMES = 5;

/** The policies, of which a page is shown at a time. */
export class PoliciesView {
  title = 'Policies';
  #control;
  #mayEdit;
  #editor;
  #version = null;
  #unmatched = 'pass';
  #all = [];
  #found = [];
  #page = 0;
  #search = el('input', { id: 'search', type: 'search', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', oninput: () => this.#find() });
  #count = el('p', { class: 'count', id: 'count' });
  #recovery = el('p', { class: 'soft', id: 'recovery', hidden: true });
  #list = el('div', { id: 'list' });
  #pages = el('nav', { class: 'pages', 'aria-label': 'Pages of policies' });
  #loading = null;
  #typing = null;

  constructor(control, mayEdit, trouble) {
    this.#control = control;
    this.#mayEdit = mayEdit;
    this.#editor = new PolicyEditor(control, () => this.refresh().catch(trouble));
    this.content = el('div', {}, el('div', { class: 'card' },
      el('div', { class: 'bar' },
        el('div', { class: 'grow' }, el('label', { for: 'search' }, 'Search patterns, recipients and signers'), this.#search),
        mayEdit ? el('button', { type: 'button', class: 'primary', id: 'add', onclick: () => this.#editor.add(this.#version, (pattern) => this.#all.some(({ policy }) => policy.pattern === pattern)) }, 'Add a policy') : null),
      mayEdit ? null : el('p', { class: 'soft', id: 'read-only' }, 'You may read the policies. Changes need the role of their administrators.'),
      this.#count, this.#recovery, this.#list, this.#pages));
  }

  /** Reads the policies, unless they are being read. */
  refresh() {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** Reads the policies again if a status has another version. */
  status(status) {
    return this.#version === null || this.#version === status.PolicyVersion ? null : this.refresh();
  }

  async #read() {
    const document = await readPolicies(this.#control, (part) => {
      this.#count.textContent = `Loading … ${Math.round(part * 100)} %`;
    });
    this.#version = document.version;
    this.#unmatched = document.unmatched ?? 'pass';
    const recovery = document.recovery ?? [];
    this.#recovery.hidden = recovery.length === 0;
    this.#recovery.replaceChildren('Recovery recipients of every policy that encrypts: ', names(recovery));
    this.#all = document.policies.map((policy) => ({ policy, text: [policy.pattern, ...(policy.recipients ?? []), ...(policy.signers ?? []), ...(policy.brokers ?? [])].join('\n').toLowerCase() }))
      .sort((a, b) => (a.policy.pattern < b.policy.pattern ? -1 : 1));
    this.#filter();
    this.#show();
  }

  #find() {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => {
      this.#page = 0;
      this.#filter();
      this.#show();
      announce(this.#count.textContent);
    }, 150);
  }

  #filter() {
    const wanted = this.#search.value.trim().toLowerCase();
    this.#found = wanted === '' ? this.#all : this.#all.filter(({ text }) => text.includes(wanted));
  }

  #show() {
    const last = Math.max(0, Math.ceil(this.#found.length / PAGE) - 1);
    this.#page = Math.min(this.#page, last);
    const found = this.#found.length;
    const all = this.#all.length;
    this.#count.textContent = `${found === all ? '' : `${found.toLocaleString()} of `}${all.toLocaleString()} ${all === 1 ? 'policy' : 'policies'}, version ${this.#version}. `
      + `Messages to other addresses ${this.#unmatched === 'reject' ? 'are rejected' : 'pass unchanged'}.`;
    const columns = [{ label: 'Pattern' }, { label: 'Quality' }, { label: 'Recipients' }, { label: 'Signers' }];
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
      shown(policy.pattern, 'code'),
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
