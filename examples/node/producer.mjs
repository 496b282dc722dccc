// Seals each line of its input and sends it to an address. See README.md.

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import rhea from 'rhea';
import { readCertificates, readIdentity } from './keys.mjs';
import { Writer } from './seal.mjs';

const { BROKER, ADDRESS, QUALITY, KEY, CERT, RECIPIENTS } = process.env;

async function produce() {
  const recipients = QUALITY === 'integrity' ? [] : readCertificates(RECIPIENTS);
  const writer = new Writer(readIdentity(KEY, CERT), recipients, QUALITY);
  const { protocol, hostname: host, port, username: user, password: secret } = new URL(BROKER);
  const transport = protocol === 'amqps:' ? 'tls' : 'tcp';
  const [username, password] = [user, secret].map(decodeURIComponent);
  const connection = rhea.create_container().connect({ transport, host, port, username, password, reconnect: false });
  const failed = new Promise((_, reject) => {
    connection.on('disconnected', ({ error }) => reject(error ?? new Error('the connection was lost')));
    for (const event of ['connection_error', 'session_error', 'sender_error']) {
      connection.on(event, (context) => reject(context.connection.error ?? context.sender?.error ?? new Error(event)));
    }
    for (const event of ['rejected', 'released', 'modified']) {
      connection.on(event, ({ delivery }) => reject(delivery.remote_state?.error ?? new Error(event))); // such as by a policy
    }
  });
  const send = async () => {
    const sender = connection.open_sender({ target: { address: ADDRESS, capabilities: ['queue'] } });
    await once(sender, 'sendable');
    for await (const line of createInterface({ input: process.stdin })) {
      const body = writer.seal(ADDRESS, 'jms/text', 'text/plain; charset=utf-8', Buffer.from(line));
      sender.send({
        durable: true,
        message_annotations: { 'x-opt-jms-msg-type': rhea.types.wrap_byte(3) }, // bytes, for consumers of JMS
        body: rhea.message.data_section(body),
      });
      await once(sender, 'accepted');
    }
  };
  await Promise.race([send(), failed]);
  connection.removeAllListeners('disconnected');
  connection.close();
}

produce().catch((error) => {
  console.error(`producer: ${error.message || error.description || error}`);
  process.exit(1);
});
