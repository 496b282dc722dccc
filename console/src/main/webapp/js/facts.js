// SPDX-License-Identifier: Apache-2.0
// Shows what a broker answers as facts: policies, lines of the audit log, and remedies.
import { el, facts, shown, time } from './dom.js';
import { FIELDS } from './fields.js';

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const LABELS = new Map([
  ...FIELDS.map(({ key, label }) => [key, label]),
  ['ski', 'Key'], ['left-out', 'Not shown'], ['at', 'Time'], ['unmatched', 'Other addresses'],
]);

function label(key) {
  return LABELS.get(key) ?? key.charAt(0).toUpperCase() + key.slice(1).replaceAll('-', ' ');
}

/** Returns a value of JSON in words. */
export function described(value) {
  if (Array.isArray(value)) {
    return value.some((entry) => typeof entry === 'object')
      ? el('ul', {}, value.map((entry) => el('li', {}, described(entry))))
      : el('span', {}, value.length === 0 ? 'none' : value.flatMap((entry, i) => [i === 0 ? '' : ', ', described(entry)]));
  }
  if (typeof value === 'string' && INSTANT.test(value)) {
    return time(value);
  }
  if (value === null || typeof value !== 'object') {
    return value === true ? 'yes' : value === null ? 'none' : shown(value, 'code');
  }
  const { before, after, ...rest } = value;
  return el('span', {}, Object.keys(rest).length === 0 ? null : pairs(rest), changed(before, after));
}

/** Returns the entries of an object on one line, with blanks between them. */
export function pairs(object) {
  return el('span', {}, Object.entries(object).filter(([, value]) => value !== undefined).flatMap(([key, value]) => [
    el('span', { class: 'soft' }, `${label(key)} `), described(value), ' ']));
}

/** Returns what a change added, removed, or has in place of what was there. */
function changed(before, after) {
  if (before === undefined || after === undefined) {
    const { pattern, ...settings } = before ?? after ?? {}; // a policy, whose pattern stands before
    return before === after ? null
      : el('span', {}, before === undefined ? 'added: ' : 'removed: ', pattern === undefined ? described(before ?? after) : pairs(settings));
  }
  if (!isObject(before) || !isObject(after)) {
    return el('span', {}, described(before), ' → ', described(after));
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  return el('span', {}, keys.flatMap((key) => [
    el('span', { class: 'soft' }, `${label(key)} `), described(before[key] ?? 'default'), ' → ', described(after[key] ?? 'default'), ' ']));
}

function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Returns the settings of a policy. */
export function policyFacts({ pattern, ...settings }) {
  return facts([['Pattern', shown(pattern, 'code')], ...Object.entries(settings).map(([key, value]) => [label(key), described(value)])]);
}

/** Returns a remedy for a reader of this page: where a form of the page does it, it names no command. */
export function remedyText(remedy) {
  return remedy.replace(/ with signet policy (?!recovery)[a-z-]+/g, '').replaceAll('--signer ', 'the signer ')
    .replaceAll('--where client', 'Sealed: client');
}
