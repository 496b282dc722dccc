/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.core.config.BridgeConfiguration;
import org.apache.activemq.artemis.core.config.ClusterConnectionConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.management.ArtemisMBeanServerBuilder;
import org.apache.activemq.artemis.core.server.management.ArtemisRbacMBeanServerBuilder;
import org.apache.activemq.artemis.core.server.plugin.impl.LoggingActiveMQServerPlugin;
import org.apache.activemq.artemis.core.settings.HierarchicalRepository;
import org.apache.activemq.artemis.core.settings.impl.HierarchicalObjectRepository;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.interceptor.internal.check.Findings.Finding;
import org.signetmq.interceptor.internal.check.Findings.Level;
import org.signetmq.interceptor.internal.home.PluginSettings.Store;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.UnmatchedAddress;

/** The checks of settings and rights that need no running broker. */
final class SettingsChecksTest {
    private static final PolicySet VOUCHING = PolicySet.of(
            1,
            UnmatchedAddress.PASS,
            List.of(Policy.integrity("orders")
                    .with(new Policy.Signing(
                            SignatureAlgorithm.SHA_512, List.of(), CertificateInclusion.INCLUDED, List.of("broker")))));

    private final Configuration configuration =
            new ConfigurationImpl().setSecurityEnabled(true).setJMXManagementEnabled(false);
    private final HierarchicalRepository<Set<Role>> settings = new HierarchicalObjectRepository<>();

    private static Role queues(String name, boolean manages, boolean edits) {
        return new Role(name, true, true, true, true, true, true, manages, true, true, true, edits, edits);
    }

    private static Role signet(String name, boolean views, boolean edits) {
        return new Role(name, false, false, false, false, false, false, false, false, false, false, views, edits);
    }

    /** Puts a setting for Signet's operations into broker.xml and into force. */
    private void putSetting(Role... roles) {
        configuration.putSecurityRoles("mops.signet.#", Set.of(roles));
        settings.addMatch("mops.signet.#", Set.of(roles));
    }

    private List<Finding> users(PolicySet policies, Store store) {
        return FindingsTest.found(found -> new SecurityChecks(configuration, settings).users(policies, store, found));
    }

    private List<Finding> management(@Nullable String builder) {
        settings.addMatch("#", Set.of(queues("all", true, false), signet("admin", false, false)));
        putSetting(signet("admin", true, true));
        return FindingsTest.found(found -> new SecurityChecks(configuration, settings).management(builder, found));
    }

    /** Asserts that there is one finding, with these parts in its texts. */
    private static void assertOne(List<Finding> found, Level level, String... parts) {
        assertThat(found).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(level);
            assertThat(finding.what() + "; " + finding.remedy()).contains(parts);
        });
    }

    @Test
    void rolesOfTheirOwn_areRight() {
        settings.addMatch("#", Set.of(queues("all", true, true)));
        putSetting(signet("admin", true, true), signet("viewer", true, false));

        assertThat(users(VOUCHING, Store.BROKER)).isEmpty();
    }

    @Test
    void rightsOnQueuesForAnswersOfTheManagement_administerNoQueues() {
        Set<Role> management = Set.of(queues("admin", false, false));
        settings.addMatch("#", Set.of(queues("all", true, true)));
        configuration.putSecurityRoles("activemq.management.#", management);
        settings.addMatch("activemq.management.#", management);
        putSetting(signet("admin", true, true));

        assertThat(users(VOUCHING, Store.BROKER)).isEmpty();
    }

    @Test
    void roleOfQueues_asEditor_isAWarning_alsoIfItHasTheSameRightsOnTheManagement() {
        Set<Role> all = Set.of(queues("all", true, true));
        for (String match : List.of("#", "activemq.management.#")) {
            configuration.putSecurityRoles(match, all);
            settings.addMatch(match, all);
        }
        putSetting(signet("all", true, true));

        assertOne(users(VOUCHING, Store.BROKER), Level.WARNING, "the same role");
    }

    @Test
    void roleOfQueues_asEditor_isAWarning_withoutItsControlCharacters() {
        String name = "all\u001b[2J" + "x".repeat(10_000);
        settings.addMatch("#", Set.of(queues(name, true, false)));
        putSetting(signet(name, true, true));

        assertOne(users(VOUCHING, Store.BROKER), Level.WARNING, "the same role", "'all?[2Jxxx");
        assertThat(users(VOUCHING, Store.BROKER).get(0).what()).hasSizeLessThan(300);
    }

    @Test
    void brokersNamedWithoutSecurity_areWrong() {
        configuration.setSecurityEnabled(false);

        assertOne(
                users(VOUCHING, Store.FILE),
                Level.WRONG,
                "1 policies",
                "no sender",
                "'orders'",
                "set security-enabled to true");
        assertThat(users(PolicySet.EMPTY, Store.FILE)).isEmpty();
    }

    @Test
    void policiesInTheBrokerWithoutSecurity_areWrong() {
        configuration.setSecurityEnabled(false);

        assertOne(users(PolicySet.EMPTY, Store.BROKER), Level.WRONG, "every client may change the policies");
    }

    /** A setting for all addresses gives no right on Signet's operations. */
    @Test
    void settingForAllAddresses_givesNoRight() {
        settings.addMatch("#", Set.of(queues("all", true, true)));

        assertOne(users(VOUCHING, Store.FILE), Level.WRONG, "no role may see", "--viewer-role");
    }

    @Test
    void settingThatIsNotInBrokerXml_givesNoRight() {
        settings.addMatch("mops.signet.#", Set.of(signet("admin", true, true)));

        assertOne(users(VOUCHING, Store.FILE), Level.WRONG, "another one is in force");
    }

    @Test
    void settingWithoutARight_isWrong() {
        putSetting(signet("admin", false, false));

        assertOne(users(VOUCHING, Store.FILE), Level.WRONG, "no role may see");
    }

    @Test
    void noEditor_isAWarning_onlyWhereTheBrokerKeepsThePolicies() {
        putSetting(signet("viewer", true, false));

        assertOne(users(VOUCHING, Store.BROKER), Level.WARNING, "--admin-role");
        assertThat(users(VOUCHING, Store.FILE)).isEmpty();
    }

    @Test
    void managers_mayChangeUsers_withoutRbac() {
        assertOne(management(null), Level.WARNING, "management-message-rbac is false", "'all'");
    }

    @Test
    void managersThatChangePolicies_areRight() {
        settings.addMatch("activemq.management.#", Set.of(queues("admin", true, false)));
        settings.addMatch("activemq.management", Set.of(queues("admin", true, false)));

        assertThat(management(null)).isEmpty();
    }

    @Test
    void rbac_isRight() {
        configuration.setManagementMessageRbac(true);

        assertThat(management(null)).isEmpty();
    }

    @Test
    void rbacThatLetsOthersChangeUsers_isAWarning() {
        configuration.setManagementMessageRbac(true);
        settings.addMatch("mops.#", Set.of(signet("all", true, true)));

        assertOne(management(null), Level.WARNING, "may give users other roles", "'all'", "mops.broker.addUser");
    }

    @Test
    void jmxWithoutGuard_isAWarning() {
        configuration.setJMXManagementEnabled(true).setManagementMessageRbac(true);

        assertOne(management(null), Level.WARNING, "JMX is not guarded");
        assertThat(management("com.example.Builder")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {ArtemisMBeanServerBuilder.class, ArtemisRbacMBeanServerBuilder.class})
    void jmxWithAGuardOfArtemis_isRight(Class<?> builder) {
        configuration.setJMXManagementEnabled(true).setManagementMessageRbac(true);

        assertThat(management(builder.getName())).isEmpty();
    }

    @Test
    void withoutSecurity_theCheckOfUsersReports() {
        configuration.setSecurityEnabled(false).setJMXManagementEnabled(true);

        assertThat(management(null)).isEmpty();
    }

    @Test
    void manyRoles_areCounted() {
        settings.addMatch(
                "activemq.management",
                IntStream.range(0, 1000)
                        .mapToObj(i -> queues("role" + i, true, false))
                        .collect(Collectors.toSet()));

        assertOne(management(null), Level.WARNING, " and 995 more");
    }

    private static List<Finding> plugins(Object... plugins) {
        return FindingsTest.found(found -> SettingsChecks.plugins(List.of(plugins), String.class, found));
    }

    @Test
    void pluginThatIsFirst_isRight_andAnyOtherOrderIsWrong() {
        Object other = new LoggingActiveMQServerPlugin();
        List<Object> many = new ArrayList<>(Collections.nCopies(1000, other));
        many.add("signet");

        assertThat(plugins("signet", other)).isEmpty();
        assertOne(
                plugins(other, "signet"),
                Level.WRONG,
                "in clear: '" + LoggingActiveMQServerPlugin.class.getName(),
                "the first in broker.xml");
        assertOne(plugins(other), Level.WRONG, "does not list the plugin");
        assertOne(plugins("signet", "signet"), Level.WRONG, "more than once");
        assertOne(plugins(many.toArray()), Level.WRONG, " and 995 more");
    }

    @Test
    void bridgesWithoutDuplicateDetection_loseRejectedMessages() {
        configuration.addClusterConfiguration(new ClusterConnectionConfiguration().setName("cluster"));
        configuration.getBridgeConfigurations().add(new BridgeConfiguration().setName("to-other"));
        assertThat(FindingsTest.found(found -> SettingsChecks.bridges(configuration, found)))
                .isEmpty();

        configuration.addClusterConfiguration(
                new ClusterConnectionConfiguration().setName("losing").setDuplicateDetection(false));
        configuration
                .getBridgeConfigurations()
                .add(new BridgeConfiguration().setName("to\u001b-other").setUseDuplicateDetection(false));

        assertThat(FindingsTest.found(found -> SettingsChecks.bridges(configuration, found)))
                .extracting(Finding::what)
                .satisfiesExactly(
                        bridge -> assertThat(bridge).startsWith("bridge 'to?-other' has no duplicate detection"),
                        cluster -> assertThat(cluster).startsWith("cluster connection 'losing' has no duplicate"));
    }
}
