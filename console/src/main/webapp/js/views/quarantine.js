// SPDX-License-Identifier: Apache-2.0
// The view of messages that a consumer could not open, or that fit no policy.
import { announce, el, facts, shown, table, time } from '../dom.js';
import { pairs } from '../facts.js';

const NAMES = { retry: 'Put back', discard: 'Discard' };
const DONE = { retry: 'retried', discard: 'discarded' };
const ASKS = {
  retry: 'Put this message back into its queue? It stays here if it does not satisfy its policy.',
  discard: 'Delete this message for ever?',
};

export class QuarantineView {
  interval = 10_000;
  title = 'Quarantine';
  #control;
  #mayEdit;
  #trouble;
  #offset = 0;
  #body = el('div', { class: 'card' }, el('p', { class: 'soft' }, 'Loading …'));

  constructor(control, mayEdit, trouble) {
    this.#control = control;
    this.#mayEdit = mayEdit;
    this.#trouble = trouble;
    this.content = el('div', {}, el('p', { class: 'soft' },
      'Messages that a consumer could not open, or that the broker could not move. What is said of a message is the claim of its sender.'), this.#body);
  }

  async refresh() {
    let page = await this.#read();
    if (page.messages.length === 0 && this.#offset > 0) {
      this.#offset = 0;
      page = await this.#read();
    }
    const { messages, queues, next } = page;
    const columns = [{ label: 'Since' }, { label: 'Reason' }, { label: 'Address', class: 'wide' }, { label: 'Queue', class: 'wide' },
      { label: 'Signer', class: 'wide' }, { label: 'Message' }];
    const focused = this.#body.contains(document.activeElement) ? document.activeElement.id : '';
    this.#body.replaceChildren(
      ...queues.map(({ queue, messages: count }) => el('p', { class: 'soft' }, shown(queue, 'code'), `: ${count} ${count === 1 ? 'message' : 'messages'}`)),
      messages.length === 0 ? el('p', { class: 'soft' }, 'No messages are in quarantine.') : table('Quarantine', columns, messages.map((message) => [
        time(message.time), el('strong', {}, shown(message.reason ?? '–')), shown(message.address ?? '–', 'code'), shown(message.queue ?? '–', 'code'),
        shown(message.signer ?? '–'),
        el('button', { id: `message-${message.id}`, type: 'button', onclick: () => this.#open(message.id).catch(this.#trouble) }, String(message.id)),
      ])),
      el('p', { class: 'pages' }, this.#turn('First', this.#offset > 0, 0), ' ', this.#turn('Next', next !== undefined, next)));
    if (focused !== '') {
      document.getElementById(focused)?.focus();
    }
  }

  #read() {
    return this.#control.call('listQuarantine', '', '', '', this.#offset);
  }

  #turn(name, is, offset) {
    return is ? el('button', {
      type: 'button', onclick: () => {
        this.#offset = offset;
        this.refresh().catch(this.#trouble);
      },
    }, name) : null;
  }

  /** Shows a message with what its envelope says, and the actions for those who may. */
  async #open(id) {
    const { properties, envelope, problem, time: at, ...note } = await this.#control.call('queryQuarantined', id);
    const said = el('p', { role: 'status' });
    const actions = el('p', {});
    const dialog = el('dialog', { 'aria-labelledby': 'message-title', class: 'message' },
      el('h2', { id: 'message-title' }, `Message ${id}`),
      facts([['Since', time(at)], ['Note', pairs(note)], ['Envelope', envelope === undefined ? shown(problem ?? 'none') : pairs(
        { ...envelope, recipients: envelope.recipients.map((recipient) => recipient.identifier).join(', ') })],
        ...Object.entries(properties).map(([name, value]) => [shown(name), shown(value)])]),
      said, actions);
    const button = (name, onclick) => el('button', { type: 'button', onclick }, name);
    const close = button('Close', () => dialog.close());
    const offer = () => {
      said.textContent = '';
      actions.replaceChildren(...(this.#mayEdit ? Object.keys(NAMES) : []).flatMap((action) => [button(NAMES[action], () => ask(action)), ' ']), close);
      close.focus();
    };
    const ask = (action) => {
      said.textContent = ASKS[action];
      const no = button('Cancel', offer);
      actions.replaceChildren(button(NAMES[action], () => act(action).catch((e) => {
        dialog.close();
        this.#trouble(e);
      })), ' ', no);
      no.focus();
    };
    const act = async (action) => {
      actions.replaceChildren(close);
      const answer = await this.#control.call(`${action}Quarantined`, String(id));
      const left = answer.left[0];
      if (left !== undefined) {
        said.replaceChildren('It stays: ', shown(left.reason));
      } else {
        dialog.close();
        announce(`Message ${id} is ${DONE[action]}.`);
      }
      await this.refresh();
    };
    dialog.addEventListener('close', () => {
      dialog.remove();
      document.getElementById(`message-${id}`)?.focus();
    });
    offer();
    document.body.append(dialog);
    dialog.showModal();
  }
}
