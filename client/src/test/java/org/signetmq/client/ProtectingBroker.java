/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.nio.file.Path;
import java.util.Map;
import org.signetmq.interceptor.SignetPlugin;

/** A broker with the plugin and a journal, for all protocols. */
public final class ProtectingBroker implements Broker {
    private final EmbeddedBroker broker;

    /**
     * Starts it; called by reflection.
     *
     * @param home of the plugin, with the identity bob
     * @param data where the broker writes
     */
    public ProtectingBroker(Path home, Path data) throws Exception {
        SignetPlugin plugin = new SignetPlugin();
        plugin.init(Map.of(
                "home", home.toString(),
                "identity", "bob",
                "password-file", home.resolve(Keys.PASSWORD_FILE).toString()));
        broker = new EmbeddedBroker(configuration -> {
            EmbeddedBroker.writeTo(data, configuration);
            configuration.registerBrokerPlugin(plugin);
        });
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
