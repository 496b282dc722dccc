// SPDX-License-Identifier: Apache-2.0
// The dialogs that change policies.
import { announce, byId, el, shown } from './dom.js';
import { SignedOut } from './jolokia.js';
import { changeText, readPolicies } from './policies.js';
import { shownJson } from './views/address.js';

const ENCRYPTING = ['privacy', 'confidentiality'];
const SIGNING = ['integrity', 'privacy'];
const ALL = ['none', ...new Set([...SIGNING, ...ENCRYPTING])];

/** The fields of the form. `kind` says how a value is typed: as text, names (one a line), choice or yes. */
const FIELDS = [
  { key: 'recipients', label: 'Recipients', kind: 'names', qualities: ENCRYPTING, hint: 'One name a line.' },
  { key: 'signers', label: 'Signers', kind: 'names', qualities: SIGNING, hint: 'One name a line. Empty: every trusted signer.' },
  { key: 'brokers', label: 'Vouching brokers', kind: 'names', qualities: SIGNING, hint: 'Broker identities that vouch for senders, one a line.' },
  { key: 'key-reuse', label: 'Messages under one key', kind: 'text', qualities: ['confidentiality'], hint: 'A number, or unlimited. Empty: 32.' },
  { key: 'max-key-age', label: 'Lifetime of a key', kind: 'text', qualities: ['confidentiality'], hint: 'Such as 30m, 1h or 7d. Empty: 1h.' },
  { key: 'max-bytes-per-key', label: 'Bytes under one key', kind: 'text', qualities: ['confidentiality'], hint: 'Such as 4GiB. Empty: 64TiB.' },
  { key: 'signature-algorithm', label: 'Signature algorithm', kind: 'choice', qualities: SIGNING, more: true, choices: ['', 'SHA-512', 'SHA-512-RSA-PSS'] },
  { key: 'certificate', label: 'Certificate of the signer', kind: 'choice', qualities: SIGNING, more: true, choices: ['', 'included', 'referenced'] },
  { key: 'where', label: 'Sealed', kind: 'choice', qualities: ALL, more: true, choices: ['', 'broker', 'client', 'either'] },
  { key: 'toleration', label: 'Messages in clear', kind: 'text', qualities: ALL, more: true, hint: 'enforce, or the instant until which consumers accept them: 2026-12-31T00:00:00Z.' },
  { key: 'audit', label: 'Audit a line for each message', kind: 'yes', qualities: ALL, more: true, yes: 'each' },
  { key: 'accept-legacy', label: 'Accept old algorithms', kind: 'yes', qualities: ALL, more: true, yes: true },
];

function toText(field, value) {
  if (value === undefined || value === null) {
    return '';
  }
  if (field.kind === 'names') {
    return value.join('\n');
  }
  return field.key === 'toleration' && typeof value === 'object' ? value.until : String(value);
}

function fromInput(field, input) {
  if (field.kind === 'yes') {
    return input.checked ? field.yes : undefined;
  }
  const text = input.value.trim();
  if (field.kind === 'names') {
    const names = text.split('\n').map((name) => name.trim()).filter((name) => name !== '');
    return names.length === 0 ? undefined : names;
  }
  if (text === '') {
    return undefined;
  }
  return field.key === 'toleration' && text !== 'enforce' ? { until: text } : text;
}

/** Adds, edits and removes policies, after the broker has judged the change. */
export class PolicyEditor {
  #control;
  #changed;
  #dialog = null;

  /** `changed` is called after each change. */
  constructor(control, changed) {
    this.#control = control;
    this.#changed = changed;
  }

  /** `exists` tells whether a pattern has a policy already, which a new one would replace. */
  add(version, exists) {
    this.#open(version, null, exists);
  }

  edit(version, policy) {
    this.#open(version, policy);
  }

  #open(version, policy, exists = () => false) {
    const quality = choice('field-quality', ['none', ...SIGNING, 'confidentiality'], policy?.quality ?? 'privacy');
    const pattern = policy === null
      ? el('div', {}, el('label', { for: 'field-pattern' }, 'Pattern'), el('input', { id: 'field-pattern', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' }),
        el('p', { class: 'hint' }, 'An address, or a pattern with wildcards.')) : null;
    const inputs = new Map(FIELDS.map((field) => [field, input(field, policy?.[field.key])]));
    const rows = new Map(FIELDS.map((field) => [field, row(field, inputs.get(field))]));
    const apply = () => rows.forEach((element, field) => {
      element.hidden = !field.qualities.includes(quality.value);
    });
    quality.addEventListener('change', apply);
    apply();
    const more = FIELDS.filter((field) => field.more);
    const typed = () => {
      const result = { ...policy, pattern: policy?.pattern ?? byId('field-pattern').value, quality: quality.value };
      for (const field of FIELDS) {
        const value = field.qualities.includes(quality.value) ? fromInput(field, inputs.get(field)) : undefined;
        if (value === undefined) {
          delete result[field.key];
        } else {
          result[field.key] = value;
        }
      }
      if (!ENCRYPTING.includes(quality.value)) {
        delete result['encryption-algorithm'];
      }
      return result;
    };
    this.#show({
      title: policy === null ? 'Add a policy' : 'Edit the policy',
      pattern: policy?.pattern,
      version,
      fields: [el('div', { class: 'fields' }, pattern, el('div', {}, el('label', { for: 'field-quality' }, 'Quality of protection'), quality),
        FIELDS.filter((field) => !field.more).map((field) => rows.get(field))),
      el('details', { open: more.some((field) => policy?.[field.key] !== undefined) }, el('summary', {}, 'More settings'), el('div', { class: 'fields' }, more.map((field) => rows.get(field))))],
      button: 'Save',
      judged: true,
      request: () => JSON.stringify(typed()),
      warning: () => (policy === null && exists(typed().pattern) ? 'a policy with this pattern exists already, and this one replaces it' : null),
      call: (seen, request) => this.#control.call('setPolicy', seen, request),
      done: (answer) => `Policy saved, version ${answer.version}.`,
    });
  }

  remove(version, policy) {
    this.#show({
      title: 'Remove the policy',
      pattern: policy.pattern,
      version,
      fields: [el('p', {}, 'Messages to its addresses are then treated by other policies, or as addresses without a policy.')],
      button: 'Remove',
      judged: false,
      request: () => policy.pattern,
      call: (seen, request) => this.#control.call('removePolicy', seen, request),
      done: (answer) => `Policy removed, version ${answer.version}.`,
    });
  }

  #show(task) {
    const outcome = el('div', { class: 'outcome', id: 'outcome', role: 'alert' });
    const save = el('button', { class: 'primary', id: 'save' }, task.button);
    const state = { seen: task.version, warned: null, busy: false, discard: false };
    const initial = task.judged ? task.request.bind(null) : null;
    let first = null;
    const close = () => dialog.close();
    const submit = async (event) => {
      event.preventDefault();
      if (state.busy) {
        return;
      }
      state.busy = true;
      save.disabled = true;
      clearProblems(dialog);
      outcome.replaceChildren();
      outcome.className = 'outcome';
      try {
        await this.#save(task, state, outcome, dialog);
      } catch (e) {
        outcome.className = 'outcome bad';
        outcome.append(el('p', {}, shown(e.message, 'span')));
        if (e instanceof SignedOut) {
          dialog.dispatchEvent(new CustomEvent('signed-out', { bubbles: true }));
        }
      } finally {
        state.busy = false;
        save.disabled = state.stale === true;
        if (save.disabled && dialog.open) {
          byId('take')?.focus();
        }
      }
    };
    const dialog = el('dialog', { 'aria-labelledby': 'dialog-title' }, el('form', { novalidate: true, onsubmit: submit },
      el('h2', { id: 'dialog-title' }, task.title), task.pattern === undefined ? null : el('p', {}, shown(task.pattern, 'code')),
      outcome, task.fields, el('div', { class: 'buttons' }, save, el('button', { type: 'button', onclick: close }, 'Cancel'))));
    dialog.addEventListener('cancel', (event) => {
      if (initial !== null && initial() !== first && !state.discard) {
        event.preventDefault();
        state.discard = true;
        outcome.className = 'outcome warn';
        outcome.replaceChildren(el('p', {}, 'Your entries are not saved. Press Escape again, or Cancel, to drop them.'));
      }
    });
    dialog.addEventListener('input', () => {
      state.discard = false;
      state.warned = null;
    });
    const opener = document.activeElement;
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (!opener.isConnected) { // the list was made again meanwhile
        const label = opener.getAttribute('aria-label');
        const again = [...document.querySelectorAll('#list button')].find((button) => button.getAttribute('aria-label') === label);
        (again ?? byId('title-policies'))?.focus();
      }
    });
    this.#dialog?.close();
    this.#dialog = dialog;
    document.body.append(dialog);
    dialog.showModal();
    first = initial === null ? null : initial();
  }

  async #save(task, state, outcome, dialog) {
    const request = task.request();
    if (task.judged) {
      const judged = await this.#control.call('judgePolicy', state.seen, request);
      if (judged.outcome !== 'accepted') {
        this.#tell(judged, task, state, outcome, dialog);
        return;
      }
      const warnings = [task.warning(), ...judged.warnings].filter((warning) => warning !== null);
      if (warnings.length > 0 && state.warned !== request) {
        state.warned = request;
        outcome.className = 'outcome warn';
        outcome.append(el('p', {}, 'The broker accepts the policy, and warns. Save again to put it in force:'),
          el('ul', {}, warnings.map((warning) => el('li', {}, shown(warning)))));
        return;
      }
    }
    const answer = await task.call(state.seen, request);
    if (answer.outcome !== 'changed') {
      this.#tell(answer, task, state, outcome, dialog);
      return;
    }
    dialog.close();
    announce(task.done(answer));
    this.#changed();
  }

  #tell(answer, task, state, outcome, dialog) {
    outcome.className = 'outcome bad';
    if (answer.outcome === 'unchanged') {
      outcome.className = 'outcome';
      outcome.append(el('p', {}, 'The broker has this policy already; nothing to save.'));
    } else if (answer.outcome === 'rejected') {
      const count = answer.problems.length;
      outcome.append(el('p', {}, count === 1 ? 'The broker rejects this policy:' : `The broker rejects this policy for ${count} reasons:`),
        el('ul', {}, answer.problems.map(({ path, message }) => el('li', {}, shown(path, 'code'), ': ', shown(message, 'span')))));
      markProblems(dialog, answer.problems);
    } else if (answer.outcome === 'stale') {
      this.#tellStale(answer, task, state, outcome);
    } else {
      outcome.append(el('p', {}, shown(answer.reason ?? 'The broker refuses the change.', 'span')));
    }
  }

  #tellStale(answer, task, state, outcome) {
    state.stale = true;
    const now = el('div', {});
    const take = el('button', { type: 'button', id: 'take', onclick: () => {
      state.seen = answer.version;
      state.stale = false;
      outcome.className = 'outcome';
      outcome.replaceChildren(el('p', {}, `Your entries now apply to version ${answer.version}.`));
      byId('save').disabled = false;
      byId('save').focus();
    } }, `Keep my entries for version ${answer.version}`);
    outcome.append(
      el('p', {}, 'Nothing was saved: the policies changed since you opened them. They have version ', String(answer.version), ' ', shown(changeText(answer.change), 'span'), '.'),
      now, el('p', {}, take));
    readPolicies(this.#control).then((document) => {
      const pattern = task.pattern ?? byId('field-pattern')?.value;
      const there = document.policies.find((policy) => policy.pattern === pattern);
      now.append(el('p', {}, there === undefined ? 'It has no policy with this pattern.' : 'The policy with this pattern is now:'), there === undefined ? '' : shownJson(there));
    }).catch(() => null);
  }
}

function choice(id, choices, value) {
  const all = choices.includes(value) ? choices : [...choices, value];
  return el('select', { id }, all.map((text) => el('option', { value: text, selected: text === value }, text === '' ? 'default' : text)));
}

function input(field, value) {
  const id = `field-${field.key}`;
  const text = toText(field, value);
  if (field.kind === 'choice') {
    return choice(id, field.choices, text);
  }
  if (field.kind === 'yes') {
    return el('input', { id, type: 'checkbox', checked: value === field.yes });
  }
  const attributes = { id, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', 'aria-describedby': `${id}-hint` };
  const element = field.kind === 'names' ? el('textarea', { ...attributes, rows: '3' }) : el('input', attributes);
  element.value = text;
  return element;
}

function row(field, element) {
  const hint = field.hint === undefined ? null : el('p', { class: 'hint', id: `${element.id}-hint` }, field.hint);
  return field.kind === 'yes'
    ? el('div', {}, element, ' ', el('label', { for: element.id, class: 'inline' }, field.label))
    : el('div', {}, el('label', { for: element.id }, field.label), element, hint);
}

/** Shows each problem at its field, and goes to the first. */
function markProblems(dialog, problems) {
  const marked = [];
  for (const { path, message } of problems) {
    const field = byId(`field-${/^[a-z-]*/.exec(path)[0]}`);
    if (field === null || !dialog.contains(field)) {
      continue; // the list above has it
    }
    const id = `problem-${marked.length}`;
    field.after(el('p', { class: 'error', id }, shown(path, 'code'), ': ', shown(message, 'span')));
    field.dataset.described ??= field.getAttribute('aria-describedby') ?? '';
    field.setAttribute('aria-describedby', `${id} ${field.getAttribute('aria-describedby') ?? ''}`.trim());
    field.setAttribute('aria-invalid', 'true');
    field.closest('details')?.setAttribute('open', '');
    marked.push(field);
  }
  marked.find((field) => !field.closest('[hidden]'))?.focus();
}

function clearProblems(dialog) {
  dialog.querySelectorAll('.error').forEach((problem) => problem.remove());
  dialog.querySelectorAll('[aria-invalid]').forEach((field) => {
    field.removeAttribute('aria-invalid');
    field.setAttribute('aria-describedby', field.dataset.described);
    delete field.dataset.described;
  });
}
