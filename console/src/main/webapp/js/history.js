// SPDX-License-Identifier: Apache-2.0
// The dialog with the former policies of the broker.
import { el, shown, table, time } from './dom.js';

/** Shows the former sets of policies. `rollback` begins the way back to one; null for a user who may not. */
export async function showHistory(control, rollback) {
  const { former } = await control.call('listHistory');
  const columns = [{ label: 'Version' }, { label: 'Since' }, { label: 'By', class: 'wide' }, { label: 'From', class: 'wide' }];
  if (rollback !== null) {
    columns.push({ label: 'Actions', class: 'actions' });
  }
  const rows = former.map(({ version, by, from, at }) => [
    version, at === undefined ? '–' : time(at), shown(by ?? '–'), shown(from ?? '–'),
    ...(rollback === null ? [] : [el('button', { type: 'button', 'aria-label': `Roll back to version ${version}`, onclick: () => {
      dialog.close();
      rollback(version);
    } }, 'Roll back')]),
  ]);
  const dialog = el('dialog', { 'aria-labelledby': 'history-title' }, el('form', {},
    el('h2', { id: 'history-title' }, 'Former policies'),
    rows.length === 0 ? el('p', { class: 'soft' }, 'The broker keeps no former policies yet.') : table('Former policies', columns, rows),
    el('div', { class: 'buttons' }, el('button', { type: 'button', onclick: () => dialog.close() }, 'Close'))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
