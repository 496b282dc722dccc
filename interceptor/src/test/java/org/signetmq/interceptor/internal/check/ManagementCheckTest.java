/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.management.ArtemisMBeanServerBuilder;
import org.apache.activemq.artemis.core.server.management.ArtemisRbacMBeanServerBuilder;
import org.apache.activemq.artemis.core.settings.HierarchicalRepository;
import org.apache.activemq.artemis.core.settings.impl.HierarchicalObjectRepository;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.interceptor.internal.check.BrokerFinding.Level;

final class ManagementCheckTest {
    private final Configuration configuration =
            new ConfigurationImpl().setSecurityEnabled(true).setJMXManagementEnabled(false);
    private final HierarchicalRepository<Set<Role>> settings = new HierarchicalObjectRepository<>();

    @BeforeEach
    void settings() {
        settings.addMatch(
                "#",
                Set.of(SecurityCheckTest.queues("all", true, false), SecurityCheckTest.signet("admin", false, false)));
        Set<Role> ofSignet = Set.of(SecurityCheckTest.signet("admin", true, true));
        settings.addMatch("mops.signet.#", ofSignet);
        configuration.putSecurityRoles("mops.signet.#", ofSignet);
    }

    private List<BrokerFinding> found(@Nullable String builder) {
        return Checks.found(Area.MANAGEMENT, new ManagementCheck(configuration, settings, builder));
    }

    @Test
    void managers_mayChangeUsers_withoutRbac() {
        assertThat(found(null)).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WARNING);
            assertThat(finding.what()).contains("management-message-rbac is false", "'all'");
        });
    }

    @Test
    void managersThatChangePolicies_areRight() {
        settings.addMatch("activemq.management.#", Set.of(SecurityCheckTest.queues("admin", true, false)));
        settings.addMatch("activemq.management", Set.of(SecurityCheckTest.queues("admin", true, false)));

        assertThat(found(null)).isEmpty();
    }

    @Test
    void rbac_isRight() {
        configuration.setManagementMessageRbac(true);

        assertThat(found(null)).isEmpty();
    }

    @Test
    void rbacThatLetsOthersChangeUsers_isAWarning() {
        configuration.setManagementMessageRbac(true);
        settings.addMatch("mops.#", Set.of(SecurityCheckTest.signet("all", true, true)));

        assertThat(found(null)).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Level.WARNING);
            assertThat(finding.what()).contains("may give users other roles", "'all'");
            assertThat(finding.remedy()).contains("mops.broker.addUser");
        });
    }

    @Test
    void jmxWithoutGuard_isAWarning() {
        configuration.setJMXManagementEnabled(true).setManagementMessageRbac(true);

        assertThat(found(null))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("JMX is not guarded"));
        assertThat(found("com.example.Builder")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {ArtemisMBeanServerBuilder.class, ArtemisRbacMBeanServerBuilder.class})
    void jmxWithAGuardOfArtemis_isRight(Class<?> builder) {
        configuration.setJMXManagementEnabled(true).setManagementMessageRbac(true);

        assertThat(found(builder.getName())).isEmpty();
    }

    @Test
    void withoutSecurity_theCheckOfSecurityReports() {
        configuration.setSecurityEnabled(false).setJMXManagementEnabled(true);

        assertThat(found(null)).isEmpty();
    }

    @Test
    void manyRoles_areCounted() {
        settings.addMatch(
                "activemq.management",
                IntStream.range(0, 1000)
                        .mapToObj(i -> SecurityCheckTest.queues("role" + i, true, false))
                        .collect(Collectors.toSet()));

        assertThat(found(null))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).endsWith("and 995 more"));
    }
}
