// SPDX-License-Identifier: Apache-2.0
// Talks to the broker's Jolokia on the page's own origin, in the session of the broker's web console.

const CONSOLE = '/console';
const PATIENCE = 30_000;

/** A failure with one line for the reader. */
export class Failure extends Error {}

/** The session has ended, or there is none. */
export class SignedOut extends Failure {
  constructor() {
    super('The session has ended; sign in again.');
  }
}

/** The user lacks a right. */
export class Forbidden extends Failure {}

async function request(path, options) {
  try {
    return await fetch(CONSOLE + path, {
      credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.timeout(PATIENCE), ...options,
    });
  } catch {
    throw new Failure('The broker does not answer.');
  }
}

/** Returns the name of the user of the session. */
export async function user() {
  const response = await request('/user', {});
  if (!response.ok) {
    throw new SignedOut();
  }
  const name = await response.json().catch(() => null);
  if (typeof name !== 'string' || name === '' || name === 'public') {
    throw new SignedOut();
  }
  return name;
}

export async function login(username, password) {
  const response = await request('/auth/login', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ username, password }),
  });
  if (response.status === 429) {
    throw new Failure('Too many attempts; wait before the next one.');
  }
  if (!response.ok) {
    throw new Failure('The broker rejects this user and password, or HAWTIO_ROLES in etc/artemis.profile names no role of the user.');
  }
}

export async function logout() {
  await request('/auth/logout', { redirect: 'manual' });
}

/** Tells the web console that the user is there: requests of Jolokia do not prolong its session. */
export async function stay() {
  await request('/refresh', {}).catch(() => null);
}

function failure(answer) {
  const text = String(answer.error ?? 'no reason').replace(/^[\w.$]+ : /, '');
  if (/^Origin .* is not allowed/.test(text)) {
    return new Failure(`Jolokia does not accept pages of ${location.origin}; etc/jolokia-access.xml must name this origin.`);
  }
  if (/^User not authorized/.test(text)) {
    return new Forbidden(`${text}; <role-access> in etc/management.xml must name a role of this user for component=signet.`);
  }
  return answer.status === 403 ? new Forbidden(text) : new Failure(text);
}

async function post(body) {
  const response = await request('/jolokia', {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  });
  const text = await response.text().catch(() => '');
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    throw response.status === 401 || response.status === 403 ? new SignedOut()
      : new Failure(`The broker's Jolokia answers with status ${response.status}.`);
  }
  if (!Array.isArray(answer) && answer.status !== 200) {
    throw failure(answer);
  }
  return answer;
}

/** The control of Signet in a broker. */
export class Control {
  constructor(mbean) {
    this.mbean = mbean;
    this.broker = /broker="((?:[^"\\]|\\.)*)"/.exec(mbean)?.[1].replace(/\\(.)/g, '$1') ?? '';
  }

  static async find() {
    const answer = await post({ type: 'search', mbean: 'org.apache.activemq.artemis:component=signet,*' });
    if (!Array.isArray(answer.value) || answer.value.length === 0) {
      throw new Failure('This broker has no plugin of Signet, or it has not started yet.');
    }
    return new Control(answer.value[0]);
  }

  /** Returns the values of attributes. */
  async read(attribute) {
    return (await post({ type: 'read', mbean: this.mbean, attribute })).value;
  }

  /** Calls an operation, and returns its answer. */
  async call(operation, ...args) {
    return (await this.callAll([[operation, ...args]]))[0];
  }

  /** Calls several operations by one request. */
  async callAll(calls) {
    const answers = await post(calls.map(([operation, ...args]) => (
      { type: 'exec', mbean: this.mbean, operation, arguments: args })));
    return answers.map((answer) => {
      if (answer.status !== 200) {
        throw failure(answer);
      }
      return JSON.parse(answer.value);
    });
  }

  /** Returns whether the user may change policies: a question that changes nothing. */
  async mayEdit() {
    try {
      await this.call('judgeImpact', -1, '{}');
      return true;
    } catch (e) {
      if (e instanceof Forbidden) {
        return false;
      }
      throw e;
    }
  }
}
