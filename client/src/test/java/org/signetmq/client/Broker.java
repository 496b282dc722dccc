/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

/** A broker behind any class loader. It is public, because other loaders make other packages. */
public interface Broker extends AutoCloseable {
    int port();

    /** How many messages are on a queue, delivered and not acknowledged ones included. */
    long messages(String queue);

    /** Returns the messages that consumers have and have not acknowledged. */
    long delivering(String queue);

    void deleteMessages(String queue);

    /** Puts a message on an address, as the broker has it from an AMQP producer. */
    void putAmqp(String address, byte[] sections);

    /** Makes a queue that keeps the last of its messages, whoever consumes it. It replaces one of that name. */
    void keepLast(String queue);

    /** Stops the broker and starts it again on its port. */
    void restart();

    @Override
    void close();
}
