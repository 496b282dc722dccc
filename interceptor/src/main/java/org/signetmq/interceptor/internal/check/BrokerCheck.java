/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.signetmq.interceptor.internal.home.BrokerNaming;
import org.signetmq.interceptor.internal.home.PluginSettings.Store;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.status.PluginStatus;
import org.signetmq.policy.PolicySet;

/** Checks a running broker, and returns what is wrong. Thread-safe. */
public final class BrokerCheck {
    private final ActiveMQServer server;
    private final Class<?> plugin;
    private final Supplier<Optional<Store>> store;

    /**
     * Makes a check of a broker.
     *
     * @param plugin the class of Signet's plugin
     * @param store returns the place of the policies
     */
    public BrokerCheck(ActiveMQServer server, Class<?> plugin, Supplier<Optional<Store>> store) {
        this.server = server;
        this.plugin = plugin;
        this.store = store;
    }

    /** Returns the name and the version of the broker as JSON. */
    public String broker() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", Shown.text(server.getConfiguration().getName()))
                .put("version", Shown.text(server.getVersion().getFullVersion()))
                .toString();
    }

    /**
     * Returns the findings as JSON, with the versions and the time of the broker.
     *
     * @param version the version of the plugin
     */
    public String answer(String version, PluginStatus status, Readiness readiness) {
        Instant now = Instant.now();
        return FindingsAnswer.of(
                new FindingsAnswer.Broker(version, server.getVersion().getFullVersion(), now),
                findings(checks(status, readiness, now)));
    }

    /** Runs the checks. One that fails becomes a finding. */
    static Map<Area, List<BrokerFinding>> findings(Map<Area, Check> checks) {
        Map<Area, List<BrokerFinding>> findings = new EnumMap<>(Area.class);
        checks.forEach((area, check) -> {
            Findings found = new Findings(area);
            try {
                check.look(found);
            } catch (Throwable e) { // any failure: the other checks must run
                PluginLog.LOG.warn("Signet could not check the broker: {}", area.label(), e);
                found.warn(
                        "could not be checked: " + e.getClass().getName(),
                        "read the log of the broker; it has the cause");
            }
            findings.put(area, found.list());
        });
        return findings;
    }

    private Map<Area, Check> checks(PluginStatus status, Readiness readiness, Instant now) {
        Configuration configuration = server.getConfiguration();
        PolicySet policies = readiness instanceof Readiness.Ready ready ? ready.policies() : PolicySet.EMPTY;
        PluginCheck own = new PluginCheck(status, readiness);
        Map<Area, Check> checks = new EnumMap<>(Area.class);
        checks.put(Area.PLUGIN, own::state);
        checks.put(Area.PLUGIN_ORDER, new PluginOrderCheck(configuration.getBrokerMessagePlugins(), plugin));
        checks.put(Area.POLICIES, own::policies);
        checks.put(Area.HOME, own::home);
        checks.put(Area.CERTIFICATES, found -> {
            new CertificateCheck(readiness, now).look(found);
            new RevocationSourcesCheck(readiness, now).look(found);
        });
        checks.put(Area.KEYS, own::keys);
        checks.put(Area.LARGE_MESSAGES, own::largeMessages);
        checks.put(
                Area.ACCEPTORS,
                found -> new AcceptorCheck(server.getRemotingService().getAcceptors(), policies).look(found));
        checks.put(Area.BRIDGES, new BridgeCheck(configuration));
        checks.put(Area.BACKUP, new BackupCheck(server));
        checks.put(
                Area.DEAD_LETTERS,
                found -> new DeadLetterCheck(
                                new DeadLetterCheck.Broker(
                                        server.getAddressSettingsRepository(), server.getPostOffice()),
                                BrokerNaming.of(configuration),
                                policies)
                        .look(found));
        checks.put(
                Area.SECURITY,
                found -> new SecurityCheck(
                                configuration,
                                server.getSecurityRepository(),
                                policies,
                                store.get().orElse(Store.FILE))
                        .look(found));
        checks.put(
                Area.MANAGEMENT,
                found -> new ManagementCheck(
                                configuration,
                                server.getSecurityRepository(),
                                System.getProperty(ManagementCheck.BUILDER))
                        .look(found));
        checks.put(Area.AUDIT_LOG, new AuditLogCheck(policies));
        return checks;
    }
}
