/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.signetmq.interceptor.internal.check.Findings.Area;
import org.signetmq.interceptor.internal.home.PluginSettings.Store;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.policy.PolicySet;

/**
 * Checks a running broker, and returns what is wrong as JSON. Thread-safe.
 *
 * @param plugin the class of Signet's plugin
 * @param store returns the place of the policies
 */
public record BrokerCheck(ActiveMQServer server, Class<?> plugin, Supplier<Optional<Store>> store) {
    /** Returns the name and the version of the broker. */
    public String broker() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", Findings.text(server.getConfiguration().getName()))
                .put("version", Findings.text(server.getVersion().getFullVersion()))
                .toString();
    }

    /** Returns the certificates that messages need now. The first to end comes first. */
    public String certificates(Readiness readiness) {
        return new HomeChecks(readiness, Instant.now()).certificates();
    }

    /**
     * Returns the findings, with the versions and the time of the broker.
     *
     * @param version the version of the plugin
     */
    public String answer(String version, PluginStatus status, Readiness readiness) {
        Instant now = Instant.now();
        ObjectNode answer = JsonNodeFactory.instance
                .objectNode()
                .put("version", Findings.text(version))
                .put("artemis", Findings.text(server.getVersion().getFullVersion()))
                .put("time", now.toString());
        Configuration configuration = server.getConfiguration();
        PolicySet policies = readiness instanceof Readiness.Ready ready ? ready.policies() : PolicySet.EMPTY;
        HomeChecks home = new HomeChecks(readiness, now);
        SettingsChecks settings = new SettingsChecks(server, policies);
        SecurityChecks security = new SecurityChecks(configuration, server.getSecurityRepository());
        new Findings()
                .check(Area.PLUGIN, found -> home.state(status, found))
                .check(
                        Area.PLUGIN_ORDER,
                        found -> SettingsChecks.plugins(configuration.getBrokerMessagePlugins(), plugin, found))
                .check(Area.POLICIES, found -> {
                    home.policies(status, found);
                    new FilteredProperties(server).addTo(policies, found);
                })
                .check(Area.HOME, home::names)
                .check(Area.CERTIFICATES, home::certificates)
                .check(Area.KEYS, found -> home.keys(status, found))
                .check(Area.LARGE_MESSAGES, found -> home.largeMessages(status, found))
                .check(Area.ACCEPTORS, settings::acceptors)
                .check(Area.BRIDGES, found -> SettingsChecks.bridges(configuration, found))
                .check(Area.BACKUP, settings::backup)
                .check(Area.DEAD_LETTERS, found -> {
                    settings.deadLetters(found);
                    settings.quarantine(found);
                })
                .check(
                        Area.SECURITY,
                        found -> security.users(policies, store.get().orElse(Store.FILE), found))
                .check(Area.MANAGEMENT, found -> security.management(System.getProperty(SecurityChecks.BUILDER), found))
                .check(Area.AUDIT_LOG, settings::auditLog)
                .writeTo(answer);
        return answer.toString();
    }
}
