// SPDX-License-Identifier: Apache-2.0
// The settings of a policy, as forms and lists name them.

export const ENCRYPTING = ['privacy', 'confidentiality', 'authenticity'];
const SIGNING = ['integrity', 'privacy'];
const PROVING = [...SIGNING, 'authenticity'];
const REUSING = ['confidentiality', 'authenticity'];
const PROTECTING = [...new Set([...SIGNING, ...ENCRYPTING])];
export const ALL = ['none', ...PROTECTING];

/** The fields of the form. `kind` says how a value is typed: as text, names (one a line; `free`: none of the home), choice or yes. */
export const FIELDS = [
  { key: 'recipients', label: 'Recipients', kind: 'names', qualities: ENCRYPTING, hint: 'One name a line.' },
  { key: 'signers', label: 'Signers', kind: 'names', qualities: PROVING, hint: 'One name a line. Empty: every trusted signer.' },
  { key: 'brokers', label: 'Vouching brokers', kind: 'names', qualities: PROVING, hint: 'Broker identities that vouch for senders, one a line.' },
  { key: 'key-reuse', label: 'Messages under one key', kind: 'text', qualities: REUSING, hint: 'A number, or unlimited. Empty: 32.' },
  { key: 'max-key-age', label: 'Lifetime of a key', kind: 'text', qualities: REUSING, hint: 'Such as 30m, 1h or 7d. Empty: 1h.' },
  { key: 'max-bytes-per-key', label: 'Bytes under one key', kind: 'text', qualities: REUSING, hint: 'Such as 4GiB. Empty: 64TiB.' },
  { key: 'mutual-trust', label: 'Recipients trust each other', kind: 'yes', qualities: ['authenticity'], yes: 'accepted' },
  { key: 'signature-algorithm', label: 'Signature algorithm', kind: 'choice', qualities: SIGNING, more: true, choices: ['', 'SHA-512', 'SHA-512-RSA-PSS'] },
  { key: 'signature', label: 'Signature', kind: 'choice', qualities: SIGNING, more: true, choices: ['', 'single', 'shared'] },
  { key: 'certificate', label: 'Certificate of the signer', kind: 'choice', qualities: SIGNING, more: true, choices: ['', 'included', 'referenced'] },
  { key: 'where', label: 'Sealed', kind: 'choice', qualities: ALL, more: true, choices: ['', 'broker', 'client', 'either'] },
  { key: 'toleration', label: 'Messages in clear', kind: 'text', qualities: ALL, more: true, hint: 'enforce, or the instant until which consumers accept them: 2026-12-31T00:00:00Z.' },
  { key: 'audit', label: 'Audit a line for each message', kind: 'yes', qualities: ALL, more: true, yes: 'each' },
  { key: 'verify', label: 'Broker verifies', kind: 'choice', qualities: ['integrity'], more: true, choices: ['', 'signature', 'structure'] },
  { key: 'bind-user', label: 'Signer belongs to the user', kind: 'yes', qualities: ['integrity', 'authenticity'], more: true, yes: 'certificate' },
  { key: 'extra-recipients', label: 'Other recipients', kind: 'choice', qualities: ENCRYPTING, more: true, choices: ['', 'refuse', 'allow'] },
  { key: 'replay-window', label: 'Replay window', kind: 'text', qualities: PROTECTING, more: true, hint: 'Such as 10m. Empty: replays are not looked for.' },
  { key: 'require', label: 'Required keys', kind: 'choice', qualities: PROTECTING, more: true, choices: ['', 'either', 'both'], hint: 'both: each NAME means NAME and NAME.pq.' },
  { key: 'hide', label: 'Hidden properties', kind: 'names', free: true, qualities: PROTECTING, more: true, hint: 'Names of properties that travel inside the envelope, one a line.' },
  { key: 'on-failure', label: 'If it does not open', kind: 'choice', qualities: PROTECTING, more: true, choices: ['', 'quarantine', 'reject', 'skip'] },
  { key: 'quarantine', label: 'Quarantine', kind: 'text', qualities: PROTECTING, more: true, hint: 'An address. Empty: SIGNET.QUARANTINE.' },
  { key: 'accept-legacy', label: 'Accept old algorithms', kind: 'yes', qualities: ALL, more: true, yes: true },
];
