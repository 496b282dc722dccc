// SPDX-License-Identifier: Apache-2.0
import { el, facts, shown } from '../dom.js';
import { described, policyFacts } from '../facts.js';

/** The policy that applies to an address. */
export class AddressView {
  title = 'Address';
  #control;
  #input = el('input', { id: 'address', autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', maxlength: '4096', required: true });
  #answer = el('div', { id: 'effective', 'aria-live': 'polite' });
  #asked = 0;

  constructor(control, trouble) {
    this.#control = control;
    this.content = el('div', {}, el('form', { class: 'card', onsubmit: (event) => {
      event.preventDefault();
      this.#ask().catch(trouble);
    } }, el('div', { class: 'bar' }, el('div', { class: 'grow' }, el('label', { for: 'address' }, 'Address'), this.#input), el('button', { class: 'primary' }, 'Show the policy'))), this.#answer);
  }

  async #ask() {
    const asked = ++this.#asked;
    const answer = await this.#control.call('queryPolicy', this.#input.value);
    if (asked !== this.#asked) {
      return; // a later question was asked
    }
    this.#answer.replaceChildren(el('div', { class: 'card' }, facts([
      ['Address', shown(answer.address, 'code')],
      ['Policy', answer.policy === undefined ? 'none' : shown(answer.policy, 'code')],
      ['Quality', answer.quality],
      ['Reason', shown(answer.reason, 'span')],
      ['Overruled', answer.overruled.length === 0 ? null : described(answer.overruled)],
      ['Recovery', answer.recovery === undefined ? null : described(answer.recovery)],
    ])), answer.definition === undefined ? '' : el('section', { class: 'card', 'aria-labelledby': 'definition' },
      el('h2', { id: 'definition' }, 'The policy'), policyFacts(answer.definition)));
  }
}
