/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.nio.file.Path;

/** A broker without the plugin, which stores as one with the plugin does. */
public final class PlainBroker implements Broker {
    private final EmbeddedBroker broker;

    /**
     * Starts it; called by reflection.
     *
     * @param data where the broker writes
     */
    public PlainBroker(Path data) throws Exception {
        broker = new EmbeddedBroker(configuration -> EmbeddedBroker.writeTo(data, configuration));
    }

    @Override
    public int port() {
        return broker.port();
    }

    @Override
    public long messages(String queue) {
        return broker.messages(queue);
    }

    @Override
    public long delivering(String queue) {
        return broker.delivering(queue);
    }

    @Override
    public void deleteMessages(String queue) {
        broker.deleteMessages(queue);
    }

    @Override
    public void putAmqp(String address, byte[] sections) {
        broker.putAmqp(address, sections);
    }

    @Override
    public void close() {
        broker.close();
    }
}
