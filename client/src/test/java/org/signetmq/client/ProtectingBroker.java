/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.nio.file.Path;
import java.util.Map;
import org.signetmq.interceptor.SignetPlugin;

/** A broker with the plugin and a journal, for all protocols. */
public final class ProtectingBroker extends DeadLetterBroker {
    /**
     * Starts it; called by reflection.
     *
     * @param home of the plugin, with the identity bob
     * @param data where the broker writes
     */
    public ProtectingBroker(Path home, Path data) throws Exception {
        this(plugin(home), data);
    }

    private ProtectingBroker(SignetPlugin plugin, Path data) throws Exception {
        super(broker -> broker.storingIn(data).configuration().registerBrokerPlugin(plugin));
    }

    private static SignetPlugin plugin(Path home) {
        SignetPlugin plugin = new SignetPlugin();
        plugin.init(Map.of(
                "home", home.toString(),
                "identity", "bob",
                "password-file", home.resolve(Keys.PASSWORD_FILE).toString()));
        return plugin;
    }
}
