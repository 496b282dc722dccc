/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

/** A broker, whatever loaded its classes: public, for other loaders make other packages. */
public interface Broker extends AutoCloseable {
    int port();

    /** How many messages are on a queue, delivered and not acknowledged ones included. */
    long messages(String queue);

    void deleteMessages(String queue);

    @Override
    void close();
}
