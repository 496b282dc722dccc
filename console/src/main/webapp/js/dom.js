// SPDX-License-Identifier: Apache-2.0
// Makes elements of a page. Texts become text nodes, never markup.

/** Returns an element with attributes and children. A function as attribute `on…` becomes a listener. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (typeof value === 'function') {
      element.addEventListener(key.slice(2), value);
    } else {
      element.setAttribute(key, value === true ? '' : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164\uffa0]/gu;
const LONGEST = 400;

/**
 * Returns an element that shows a text of a stranger: control and formatting characters as their numbers, its
 * direction without effect on its neighbours, and a long one cut.
 */
export function shown(text, name = 'bdi') {
  const whole = String(text);
  const cut = whole.length > LONGEST ? whole.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '') : whole;
  const element = el(name, name === 'bdi' ? {} : { dir: 'auto', class: 'foreign' });
  let from = 0;
  for (const match of cut.matchAll(INVISIBLE)) {
    const number = match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
    element.append(cut.slice(from, match.index), el('span', { class: 'escape' }, `[U+${number}]`));
    from = match.index + match[0].length;
  }
  element.append(cut.slice(from));
  if (cut !== whole) {
    element.append(el('span', { class: 'escape' }, ` … (${whole.length} characters)`));
  }
  return element;
}

/** Returns a text of a stranger for a place that takes no elements, such as the title. */
export function plain(text) {
  return String(text).slice(0, LONGEST).replace(INVISIBLE, '\ufffd');
}

/** Lets the browser save a text as a file. */
export function saveFile(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Returns a table. A cell is a node, a text or a number; columns are {label, class}. */
export function table(label, columns, rows) {
  // the roles stay when a narrow page shows cells as blocks
  const head = columns.map((column) => el('th', { scope: 'col', role: 'columnheader', class: column.class }, column.label));
  const body = rows.map((cells) => el('tr', { role: 'row' }, cells.map((cell, i) => el('td', {
    role: 'cell', class: columns[i].class, 'data-label': columns[i].label,
  }, typeof cell === 'number' ? String(cell) : cell))));
  return el('table', { role: 'table', 'aria-label': label },
    el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, head)), el('tbody', { role: 'rowgroup' }, body));
}

/** Returns a list of terms with their values. */
export function facts(pairs) {
  return el('dl', { class: 'facts' }, pairs.filter((pair) => pair[1] !== null && pair[1] !== undefined)
    .flatMap(([term, value]) => [el('dt', {}, term), el('dd', {}, value)]));
}

/** Returns an instant in the reader's time zone. */
export function time(instant) {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? shown(instant)
    : el('time', { datetime: date.toISOString(), title: date.toISOString() },
      date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }));
}

let spoken = 0;

/** Lets a screen reader say a text. */
export function announce(text) {
  // the same text twice is said twice
  byId('announcement').textContent = text + '\u00a0'.repeat(spoken++ % 2);
}
