// Receives a number of messages from an address, opens them and prints their texts. See README.md.

import rhea from 'rhea';
import { readCertificates, readIdentity, Trust } from './keys.mjs';
import { Reader } from './open.mjs';
import { Refusal } from './der.mjs';

const { BROKER, ADDRESS, QUALITY, KEY, CERT, CA, SIGNER, COUNT } = process.env;

async function consume() {
  if (!SIGNER && QUALITY !== 'confidentiality') {
    throw new Error('SIGNER is not set: the subject of the signer, such as CN=broker,O=Example');
  }
  const reader = new Reader(readIdentity(KEY, CERT), new Trust(readCertificates(CA), SIGNER || undefined), QUALITY);
  const { protocol, hostname: host, port, username: user, password: secret } = new URL(BROKER);
  const transport = protocol === 'amqps:' ? 'tls' : 'tcp';
  const [username, password] = [user, secret].map(decodeURIComponent);
  const connection = rhea.create_container().connect({ transport, host, port, username, password, reconnect: false });
  const source = { address: ADDRESS, capabilities: ['queue'] };
  const receiver = connection.open_receiver({ source, autoaccept: false, credit_window: 0 });
  receiver.add_credit(Number(COUNT));
  let [received, failures] = [0, 0];
  await new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no message for a minute')), 60_000).unref();
    connection.on('disconnected', ({ error }) => reject(error ?? new Error('the connection was lost')));
    for (const event of ['connection_error', 'session_error', 'receiver_error']) {
      connection.on(event, (context) => reject(context.connection.error ?? context.receiver?.error ?? new Error(event)));
    }
    receiver.on('message', ({ message, delivery }) => {
      try {
        const { quality, signer, payload } = open(reader, message.body);
        console.log(`${quality} "${signer}" ${payload}`);
        delivery.accept();
      } catch (error) {
        // the broker delivers it again, and moves it to the dead letters in the end
        console.error(`consumer: not opened: ${error.message}`);
        delivery.modified({ delivery_failed: true, undeliverable_here: true });
        failures++;
      }
      if (++received === Number(COUNT)) resolve();
    });
  });
  connection.removeAllListeners('disconnected');
  connection.close();
  if (failures) throw new Error(`${failures} messages were not opened`);
}

function open(reader, body) {
  if (body?.typecode !== 0x75) throw new Refusal('unprotected', 'the message is in clear'); // 0x75: a data section
  const message = reader.open(Buffer.concat([body.content].flat()), ADDRESS);
  const kind = message.header.get('signet-body');
  if (kind !== 'jms/text') throw new Error(`a body of kind '${kind}', which this program does not print`);
  return message;
}

consume().catch((error) => {
  console.error(`consumer: ${error.message || error.description || error}`);
  process.exit(1);
});
