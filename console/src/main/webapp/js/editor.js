// SPDX-License-Identifier: Apache-2.0
// The dialogs that change policies.
import { announce, byId, el, shown } from './dom.js';
import { policyFacts } from './facts.js';
import { ALL, ENCRYPTING, FIELDS } from './fields.js';
import { impactOf } from './impact.js';
import { SignedOut } from './jolokia.js';
import { changeText, readPolicies, sendPolicies } from './policies.js';

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
  if (field.kind === 'names') {
    const names = namesIn(input);
    return names.length === 0 ? undefined : names;
  }
  const text = input.value.trim();
  if (text === '') {
    return undefined;
  }
  return field.key === 'toleration' && text !== 'enforce' ? { until: text } : text;
}

function namesIn(area) {
  return area.value.split('\n').map((name) => name.trim()).filter((name) => name !== '');
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
    const quality = choice('field-quality', ALL, policy?.quality ?? 'privacy');
    const pattern = policy === null
      ? el('div', {}, el('label', { for: 'field-pattern' }, 'Pattern'), el('input', { id: 'field-pattern', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' }),
        el('p', { class: 'hint' }, 'An address, or a pattern with wildcards.')) : null;
    const inputs = new Map(FIELDS.map((field) => [field, input(field, policy?.[field.key])]));
    const rows = new Map(FIELDS.map((field) => [field, row(field, inputs.get(field), field.kind === 'names' && !field.free ? this.#picker(field, inputs.get(field)) : null)]));
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
      typed: true,
      request: () => JSON.stringify(typed()),
      judge: (seen, request) => this.#control.call('judgeImpact', seen, request),
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
      request: () => policy.pattern,
      judge: (seen, request) => this.#control.call('judgeRemoval', seen, request),
      call: (seen, request) => this.#control.call('removePolicy', seen, request),
      done: (answer) => `Policy removed, version ${answer.version}.`,
    });
  }

  /**
   * Puts a whole document in place of all policies. `difference` tells in elements what it adds, changes and removes;
   * `button` and `done` are for another reason than an import.
   */
  replace(version, title, text, difference, button = 'Replace all policies', done = (now) => `Policies replaced, version ${now}.`) {
    let upload = null;
    this.#show({
      title,
      version,
      fields: difference,
      button,
      request: () => text,
      judge: async (seen, request) => {
        const sent = await sendPolicies(this.#control, seen, request);
        upload = sent.upload;
        return upload === undefined ? sent : this.#control.call('judgeImpacts', upload);
      },
      call: () => this.#control.call('replacePolicies', upload),
      done: (answer) => done(answer.version),
    });
  }

  /** Returns a box that adds names which the home of the broker knows. Others can be typed. */
  #picker(field, area) {
    const list = el('datalist', { id: `known-${field.key}` });
    const add = () => {
      const name = box.value.trim();
      if (name !== '' && !namesIn(area).includes(name)) {
        area.value = [...namesIn(area), name].join('\n');
      }
      box.value = '';
      box.dispatchEvent(new Event('input', { bubbles: true }));
      box.focus();
    };
    let asked = 0;
    const search = async () => {
      const question = ++asked;
      const { names } = await this.#control.call('listNames', box.value.trim()).catch(() => ({ names: [] }));
      if (question === asked) {
        list.replaceChildren(...names.map((name) => el('option', { value: name })));
      }
    };
    const box = el('input', { id: `pick-${field.key}`, list: list.id, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false',
      onfocus: search,
      oninput: (event) => (event.inputType === 'insertReplacementText' ? add() : search()),
      onkeydown: (event) => {
        if (event.key === 'Enter' && box.value !== '') {
          event.preventDefault();
          add();
        }
      } });
    return el('div', { class: 'pick' }, el('label', { for: box.id, class: 'inline' }, 'Known names', el('span', { class: 'hidden' }, ` for ${field.label.toLowerCase()}`)), box, list,
      el('button', { type: 'button', 'aria-label': `Add to ${field.label.toLowerCase()}`, onclick: add }, 'Add'));
  }

  /** Shows a task in a dialog: first the broker judges it, then the same button does it. */
  #show(task) {
    const outcome = el('div', { class: 'outcome', id: 'outcome', role: 'alert' });
    const save = el('button', { class: 'primary', id: 'save' });
    const state = { seen: task.version, judged: null, busy: false, discard: false };
    const initial = task.typed ? task.request.bind(null) : null;
    let first = null;
    const close = () => dialog.close();
    const label = state.label = () => {
      save.textContent = state.judged === null ? 'Dry run' : task.button;
    };
    const submit = async (event) => {
      event?.preventDefault();
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
        state.judged = null;
        outcome.className = 'outcome bad';
        outcome.append(el('p', {}, shown(e.message, 'span')));
        if (e instanceof SignedOut) {
          dialog.dispatchEvent(new CustomEvent('signed-out', { bubbles: true }));
        }
      } finally {
        state.busy = false;
        save.disabled = state.stale === true;
        label();
        if (dialog.open && (save.disabled || dialog.querySelector(':focus') === null)) {
          (save.disabled ? byId('take') : save)?.focus();
        }
        outcome.scrollIntoView({ block: 'nearest' });
      }
    };
    const dialog = el('dialog', { 'aria-labelledby': 'dialog-title' }, el('form', { novalidate: true, onsubmit: submit },
      el('h2', { id: 'dialog-title' }, task.title), task.pattern === undefined ? null : el('p', {}, shown(task.pattern, 'code')),
      task.fields, outcome, el('div', { class: 'buttons' }, save, el('button', { type: 'button', onclick: close }, 'Cancel'))));
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
      if (state.judged !== null && state.judged !== task.request()) {
        state.judged = null;
        label();
      }
    });
    const opener = document.activeElement;
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (!opener.isConnected || opener.closest('[hidden]')) { // the list was made again meanwhile, or another view is shown
        const label = opener.getAttribute('aria-label');
        const again = [...document.querySelectorAll('#list button')].find((button) => button.getAttribute('aria-label') === label);
        (again ?? byId('title-policies'))?.focus();
      }
    });
    this.#dialog?.close();
    this.#dialog = dialog;
    document.body.append(dialog);
    label();
    dialog.showModal();
    first = initial === null ? null : initial();
    if (initial === null) {
      submit();
    }
  }

  async #save(task, state, outcome, dialog) {
    const request = task.request();
    if (state.judged !== request) {
      const judged = await task.judge(state.seen, request);
      if (judged.outcome !== 'accepted') {
        this.#tell(judged, task, state, outcome, dialog);
        return;
      }
      const consequences = await impactOf(this.#control, judged);
      const warnings = [task.warning?.() ?? null, ...judged.warnings].filter((warning) => warning !== null);
      if (task.request() !== request) {
        return; // typed meanwhile
      }
      outcome.className = warnings.length > 0 ? 'outcome warn' : 'outcome good';
      outcome.append(el('p', {}, `The broker accepts this. Nothing is changed yet: press ${task.button} to put it in force.`),
        warnings.length === 0 ? '' : el('ul', { 'aria-label': 'Warnings' }, warnings.map((warning) => el('li', {}, shown(warning)))),
        ...consequences);
      state.judged = request;
      return;
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
      outcome.append(el('p', {}, 'The broker has this already; nothing to change.'));
    } else if (answer.outcome === 'rejected') {
      const count = answer.problems.length;
      outcome.append(el('p', {}, count === 1 ? 'The broker rejects this:' : `The broker rejects this for ${count} reasons:`),
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
      state.judged = null;
      state.label();
      outcome.className = 'outcome';
      outcome.replaceChildren(el('p', {}, `This now applies to version ${answer.version}.`));
      byId('save').disabled = false;
      byId('save').focus();
    } }, `Go on with version ${answer.version}`);
    outcome.append(
      el('p', {}, 'Nothing was changed: others changed the policies since you opened them. They have version ', String(answer.version), ' ', shown(changeText(answer.change), 'span'), '.'),
      now, el('p', {}, take));
    const pattern = task.pattern ?? byId('field-pattern')?.value;
    if (pattern === undefined) {
      return; // the whole set
    }
    readPolicies(this.#control).then((document) => {
      const there = document.policies.find((policy) => policy.pattern === pattern);
      now.append(el('p', {}, there === undefined ? 'There is no policy with this pattern now.' : 'The policy with this pattern is now:'), there === undefined ? '' : policyFacts(there));
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

function row(field, element, picker) {
  const hint = field.hint === undefined ? null : el('p', { class: 'hint', id: `${element.id}-hint` }, field.hint);
  return field.kind === 'yes'
    ? el('div', {}, element, ' ', el('label', { for: element.id, class: 'inline' }, field.label))
    : el('div', {}, el('label', { for: element.id }, field.label), element, picker, hint);
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
