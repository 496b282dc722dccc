// SPDX-License-Identifier: Apache-2.0
// Starts the page: the session, the views and the polling.
import { announce, byId, el, plain, shown } from './dom.js';
import { Control, Forbidden, SignedOut, login, logout, stay, user } from './jolokia.js';
import { Poll } from './poll.js';
import { AddressView } from './views/address.js';
import { AuditView, CertificatesView, FindingsView, RejectionsView } from './views/lists.js';
import { PoliciesView } from './views/policies.js';
import { QuarantineView } from './views/quarantine.js';
import { StateView } from './views/state.js';

const STATUS = ['Version', 'State', 'Reason', 'PolicyVersion', 'PolicyProblem', 'LargeMessages', 'LargeMessagesReason',
  'Sealed', 'Passed', 'Rejected', 'Unjudged', 'KeyWaits', 'LastChange'];
const INTERVAL = 5000;
const STAY_INTERVAL = 60_000;

/** What is shown to a user after the sign-in. */
class Session {
  #control;
  #views;
  #current = null;
  #state = null;
  #due = new Map();
  #poll = new Poll(() => this.#look(), INTERVAL, (e, seconds) => this.#failed(e, seconds));
  #turn = () => this.#route();

  constructor(control, mayEdit) {
    this.#control = control;
    const policies = new PoliciesView(control, mayEdit, trouble);
    const open = (pattern) => {
      location.hash = '#policies';
      policies.open(pattern).catch(trouble);
    };
    this.#views = new Map(Object.entries({
      state: new StateView(),
      policies,
      address: new AddressView(control, trouble),
      certificates: new CertificatesView(control),
      rejections: new RejectionsView(control),
      quarantine: new QuarantineView(control, mayEdit, trouble),
      audit: new AuditView(control),
      findings: new FindingsView(control, mayEdit, open),
    }));
    byId('nav').replaceChildren(el('ul', {}, [...this.#views].map(([key, view]) => el('li', {}, el('a', { href: `#${key}` }, view.title)))));
    byId('views').replaceChildren(...[...this.#views].map(([key, view]) => el('section', { id: `view-${key}`, 'aria-labelledby': `title-${key}`, hidden: true },
      el('h1', { id: `title-${key}`, tabindex: '-1' }, view.title), view.content)));
  }

  /** Begins, or goes on after the user signed in again. */
  start() {
    byId('nav').hidden = false;
    addEventListener('hashchange', this.#turn);
    this.#route();
    this.#poll.start();
  }

  stop() {
    removeEventListener('hashchange', this.#turn);
    this.#poll.stop();
  }

  #route() {
    const wanted = location.hash.slice(1);
    if (wanted === 'main') {
      return; // the skip link
    }
    const key = this.#views.has(wanted) ? wanted : 'state';
    if (key === this.#current) {
      return;
    }
    const isFirst = this.#current === null;
    this.#current = key;
    const view = this.#views.get(key);
    this.#views.forEach((_, other) => {
      byId(`view-${other}`).hidden = other !== key;
    });
    byId('nav').querySelectorAll('a').forEach((link) => {
      if (link.getAttribute('href') === `#${key}`) {
        link.setAttribute('aria-current', 'page');
      } else {
        link.removeAttribute('aria-current');
      }
    });
    document.title = `${plain(this.#control.broker)} – ${view.title} – Signet`; // a narrow tab shows its beginning
    if (!isFirst) {
      byId(`title-${key}`).focus();
      scrollTo(0, 0);
    }
    this.#due.set(key, 0);
    this.#poll.now();
  }

  /** Reads the status, and what the current view shows if it is old. */
  async #look() {
    const status = await this.#control.read(STATUS);
    status.change = JSON.parse(status.LastChange);
    this.#views.get('state').status(status);
    if (this.#state !== null && this.#state !== status.State) {
      announce(`The state is now ${status.State}.`);
    }
    this.#state = status.State;
    const key = this.#current;
    const view = this.#views.get(key);
    if (key !== 'state') { // which has it already
      await view.status?.(status);
    }
    if (view.refresh !== undefined && performance.now() >= (this.#due.get(key) ?? 0)) {
      this.#due.set(key, performance.now() + (view.interval ?? Infinity));
      await view.refresh();
    }
    trouble(null);
    byId('freshness').textContent = `Read at ${new Date().toLocaleTimeString()}; again every ${INTERVAL / 1000} seconds while the page is visible.`;
  }

  #failed(e, seconds) {
    this.#views.get('state').gap();
    this.#due.clear();
    if (e instanceof SignedOut) {
      signIn();
    } else {
      trouble(e);
    }
    byId('freshness').textContent = `The values are not up to date; the next try is in ${seconds} seconds.`;
  }
}

let session = null;
let signedIn = false;

/** Shows a failure in one line; null for none. */
function trouble(e) {
  if (e instanceof SignedOut) {
    signIn();
    return;
  }
  const text = e === null ? '' : `${e.message ?? e}`.slice(0, 500);
  if (byId('trouble').textContent !== text) {
    byId('trouble').textContent = text;
  }
}

/** Asks for user and password, above all else: what was typed in other dialogs stays. */
function signIn() {
  signedIn = false;
  session?.stop();
  byId('freshness').textContent = '';
  if (!byId('login').open) {
    byId('login').showModal();
  }
  byId('login-user').focus();
}

async function enter() {
  const name = await user();
  signedIn = true;
  if (session !== null && byId('user').textContent === name) {
    byId('login').close();
    session.start();
    return;
  }
  leave();
  byId('user').textContent = name;
  byId('session').hidden = false;
  try {
    const control = await Control.find();
    await control.read(['State']);
    byId('broker').replaceChildren(shown(control.broker, 'span'));
    document.title = `${plain(control.broker)} – Signet`;
    session = new Session(control, await control.mayEdit());
    session.start();
    trouble(null);
  } catch (e) {
    if (!(e instanceof Forbidden)) {
      throw e;
    }
    trouble(e);
    byId('views').replaceChildren(el('section', { id: 'no-rights' }, el('h1', {}, 'No right to view'),
      el('p', {}, 'This user may not see Signet. The administrator of the broker names the roles with signet broker install --admin-role and --viewer-role.')));
  } finally {
    byId('login').close();
  }
}

/** Removes what the page shows of a session. */
function leave() {
  session?.stop();
  session = null;
  document.querySelectorAll('dialog:not(#login)').forEach((dialog) => dialog.close());
  byId('views').replaceChildren();
  byId('nav').hidden = true;
  byId('broker').textContent = '';
  document.title = 'Signet';
}

byId('login-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = event.target.querySelector('button');
  const password = byId('login-password');
  byId('login-error').textContent = '';
  button.disabled = true;
  try {
    await login(byId('login-user').value, password.value);
    password.value = '';
  } catch (e) {
    byId('login-error').textContent = e.message;
    password.focus();
    return;
  } finally {
    button.disabled = false;
  }
  enter().catch(trouble);
});

byId('login').addEventListener('cancel', (event) => event.preventDefault());
// a browser closes a dialog at the second Escape in any case
byId('login').addEventListener('close', () => {
  if (!signedIn) {
    byId('login').showModal();
  }
});
document.addEventListener('signed-out', signIn);

byId('logout').addEventListener('click', async () => {
  session?.stop();
  await logout().catch(() => null);
  location.replace(location.pathname); // nothing of the session stays in the page
});

document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  byId('main').focus();
});

let lastStay = 0;
for (const kind of ['keydown', 'pointerdown']) {
  addEventListener(kind, () => {
    if (session !== null && performance.now() - lastStay > STAY_INTERVAL) {
      lastStay = performance.now();
      stay();
    }
  });
}

enter().catch((e) => (e instanceof SignedOut ? signIn() : trouble(e)));
