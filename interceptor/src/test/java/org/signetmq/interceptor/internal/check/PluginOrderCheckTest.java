/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.server.plugin.impl.LoggingActiveMQServerPlugin;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.check.BrokerFinding.Level;

final class PluginOrderCheckTest {
    private static final class Signet implements ActiveMQServerPlugin {}

    private static List<BrokerFinding> found(ActiveMQServerPlugin... plugins) {
        ConfigurationImpl configuration = new ConfigurationImpl();
        for (ActiveMQServerPlugin plugin : plugins) {
            configuration.registerBrokerPlugin(plugin);
        }
        return Checks.found(
                Area.PLUGIN_ORDER, new PluginOrderCheck(configuration.getBrokerMessagePlugins(), Signet.class));
    }

    @Test
    void first_isRight() {
        assertThat(found(new Signet(), new LoggingActiveMQServerPlugin())).isEmpty();
    }

    @Test
    void pluginBefore_isNamed() {
        assertThat(found(new LoggingActiveMQServerPlugin(), new Signet()))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Level.WRONG);
                    assertThat(finding.what()).contains("in clear: '" + LoggingActiveMQServerPlugin.class.getName());
                    assertThat(finding.remedy()).contains("first");
                });
    }

    @Test
    void absentPlugin_isWrong() {
        assertThat(found(new LoggingActiveMQServerPlugin()))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("does not list the plugin"));
    }

    @Test
    void pluginTwice_isWrong() {
        assertThat(found(new Signet(), new Signet()))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("more than once"));
    }

    @Test
    void manyPluginsBefore_areCounted() {
        List<Object> plugins = new ArrayList<>(Collections.nCopies(1000, "other"));
        plugins.add(new Signet());

        assertThat(Checks.found(Area.PLUGIN_ORDER, new PluginOrderCheck(plugins, Signet.class)))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).endsWith("and 995 more"));
    }
}
