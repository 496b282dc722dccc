// SPDX-License-Identifier: Apache-2.0
// A small chart of a rate over time.
import uPlot from '../uplot/uPlot.esm.js';
import { el } from './dom.js';

const HEIGHT = 130;
const POINTS = 120;
const SHORTEST = 60;

function now() {
  return Date.now() / 1000;
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function rate(value) {
  return value >= 100 ? Math.round(value).toLocaleString() : value.toLocaleString(undefined, { maximumFractionDigits: 1 });
}

/** Draws how fast a counter grows. */
export class RateChart {
  #label;
  #now = el('span', { class: 'now' }, '–');
  #total = el('span', { class: 'total' });
  #plot;
  #picture;
  #data = [[], []];
  #last = null;

  constructor(label, ink) {
    this.#label = label;
    this.#picture = el('div', { class: 'plot', role: 'img', 'aria-label': `${label} per second` });
    this.element = el('figure', {},
      el('figcaption', {}, el('span', {}, `${label} `, this.#now, '/s'), this.#total), this.#picture);
    const axis = { stroke: () => color('--soft'), grid: { stroke: () => color('--line'), width: 1 }, ticks: { show: false }, font: '12px system-ui, sans-serif' };
    this.#plot = new uPlot({
      width: 300,
      height: HEIGHT,
      padding: [8, 38, 0, 0], // for half of the last time
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { range: (u) => { // not by what uPlot proposes: of a single point it makes a day
          const last = u.data[0].at(-1) ?? now();
          return [Math.min(u.data[0][0] ?? last, last - SHORTEST), last];
        } },
        y: { range: (u, low, high) => [0, Math.max(1, high ?? 1)] },
      },
      axes: [{ ...axis, size: 26, space: 90, values: (u, seconds) => seconds.map((s) => new Date(s * 1000).toLocaleTimeString()) }, { ...axis, size: 44, values: (u, values) => values.map(rate) }],
      series: [{}, { stroke: () => color(ink), width: 2, points: { show: false } }],
    }, this.#data, this.#picture);
    new ResizeObserver((entries) => {
      const width = Math.floor(entries[0].contentRect.width);
      if (width > 0) {
        this.#plot.setSize({ width, height: HEIGHT });
      }
    }).observe(this.#picture);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#plot.redraw());
  }

  /** Adds what the counter says at a time, in milliseconds. */
  add(at, count) {
    const last = this.#last;
    this.#last = { at, count };
    this.#total.textContent = `${count.toLocaleString()} in all`;
    if (last === null || at <= last.at) {
      return;
    }
    const isNew = count < last.count; // the broker was started again
    const perSecond = isNew ? null : (count - last.count) * 1000 / (at - last.at);
    this.#data[0].push(at / 1000);
    this.#data[1].push(perSecond);
    if (this.#data[0].length > POINTS) {
      this.#data.forEach((values) => values.shift());
    }
    this.#now.textContent = perSecond === null ? '–' : rate(perSecond);
    this.#picture.setAttribute('aria-label', `${this.#label} per second over the last minutes, now ${this.#now.textContent}`);
    this.#plot.setData(this.#data);
  }

  /** Leaves a gap: nothing was read for a while. */
  gap() {
    this.#last = null;
    if (this.#data[0].length > 0 && this.#data[1].at(-1) !== null) {
      this.#data[0].push(this.#data[0].at(-1) + 0.001);
      this.#data[1].push(null);
    }
  }
}
