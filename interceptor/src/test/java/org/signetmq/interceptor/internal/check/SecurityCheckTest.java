/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.settings.HierarchicalRepository;
import org.apache.activemq.artemis.core.settings.impl.HierarchicalObjectRepository;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.check.BrokerFinding.Level;
import org.signetmq.interceptor.internal.home.PluginSettings.Store;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.UnmatchedAddress;

final class SecurityCheckTest {
    private static final PolicySet VOUCHING = PolicySet.of(
            1,
            UnmatchedAddress.PASS,
            List.of(Policy.integrity("orders")
                    .with(new Policy.Signing(
                            SignatureAlgorithm.SHA_512, List.of(), CertificateInclusion.INCLUDED, List.of("broker")))));

    private final Configuration configuration = new ConfigurationImpl().setSecurityEnabled(true);
    private final HierarchicalRepository<Set<Role>> settings = new HierarchicalObjectRepository<>();

    static Role queues(String name, boolean manages, boolean edits) {
        return new Role(name, true, true, true, true, true, true, manages, true, true, true, edits, edits);
    }

    static Role signet(String name, boolean views, boolean edits) {
        return new Role(name, false, false, false, false, false, false, false, false, false, false, views, edits);
    }

    /** Puts a setting for Signet's operations into broker.xml and into force. */
    private void putSetting(Set<Role> roles) {
        configuration.putSecurityRoles("mops.signet.#", roles);
        settings.addMatch("mops.signet.#", roles);
    }

    private List<BrokerFinding> found(PolicySet policies, Store store) {
        return Checks.found(Area.SECURITY, new SecurityCheck(configuration, settings, policies, store));
    }

    @Test
    void rolesOfTheirOwn_areRight() {
        settings.addMatch("#", Set.of(queues("all", true, true)));
        putSetting(Set.of(signet("admin", true, true), signet("viewer", true, false)));

        assertThat(found(VOUCHING, Store.BROKER)).isEmpty();
    }

    @Test
    void rightsOnQueuesForAnswersOfTheManagement_administerNoQueues() {
        Set<Role> management = Set.of(queues("admin", false, false));
        settings.addMatch("#", Set.of(queues("all", true, true)));
        configuration.putSecurityRoles("activemq.management.#", management);
        settings.addMatch("activemq.management.#", management);
        putSetting(Set.of(signet("admin", true, true)));

        assertThat(found(VOUCHING, Store.BROKER)).isEmpty();
    }

    @Test
    void roleOfQueues_asEditor_isAWarning_alsoIfItHasTheSameRightsOnTheManagement() {
        Set<Role> all = Set.of(queues("all", true, true));
        for (String match : List.of("#", "activemq.management.#")) {
            configuration.putSecurityRoles(match, all);
            settings.addMatch(match, all);
        }
        putSetting(Set.of(signet("all", true, true)));

        assertThat(found(VOUCHING, Store.BROKER))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("the same role"));
    }

    @Test
    void brokersNamedWithoutSecurity_areWrong() {
        configuration.setSecurityEnabled(false);

        assertThat(found(VOUCHING, Store.FILE)).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WRONG);
            assertThat(finding.what()).contains("1 policies", "no sender", "'orders'");
            assertThat(finding.remedy()).contains("security-enabled");
        });
        assertThat(found(PolicySet.EMPTY, Store.FILE)).isEmpty();
    }

    @Test
    void policiesInTheBrokerWithoutSecurity_areWrong() {
        configuration.setSecurityEnabled(false);

        assertThat(found(PolicySet.EMPTY, Store.BROKER)).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WRONG);
            assertThat(finding.what()).contains("every client may change the policies");
        });
    }

    /** A setting for all addresses gives no right on Signet's operations. */
    @Test
    void settingForAllAddresses_givesNoRight() {
        settings.addMatch("#", Set.of(queues("all", true, true)));

        assertThat(found(VOUCHING, Store.FILE)).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WRONG);
            assertThat(finding.what()).contains("no role may see");
            assertThat(finding.remedy()).contains("--viewer-role");
        });
    }

    @Test
    void settingThatIsNotInBrokerXml_givesNoRight() {
        settings.addMatch("mops.signet.#", Set.of(signet("admin", true, true)));

        assertThat(found(VOUCHING, Store.FILE))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("another one is in force"));
    }

    @Test
    void settingWithoutARight_isWrong() {
        putSetting(Set.of(signet("admin", false, false)));

        assertThat(found(VOUCHING, Store.FILE))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("no role may see"));
    }

    @Test
    void noEditor_isAWarning_onlyWhereTheBrokerKeepsThePolicies() {
        putSetting(Set.of(signet("viewer", true, false)));

        assertThat(found(VOUCHING, Store.BROKER)).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WARNING);
            assertThat(finding.remedy()).contains("--admin-role");
        });
        assertThat(found(VOUCHING, Store.FILE)).isEmpty();
    }

    @Test
    void roleOfQueues_asEditor_isAWarning_withoutItsControlCharacters() {
        String name = "all\u001b[2J" + "x".repeat(10_000);
        settings.addMatch("#", Set.of(queues(name, true, false)));
        putSetting(Set.of(signet(name, true, true)));

        assertThat(found(VOUCHING, Store.BROKER)).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WARNING);
            assertThat(finding.what()).contains("the same role", "'all?[2Jxxx").hasSizeLessThan(300);
        });
    }
}
