/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.settings.HierarchicalRepository;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the broker's own management does not give the rights of Signet's administrators to others. It can give
 * other roles to users, if the broker keeps its users itself.
 *
 * @param settings the security settings in force
 * @param jmxBuilder the class that makes this process's MBean servers; null for that of Java
 */
record ManagementCheck(
        Configuration configuration,
        HierarchicalRepository<Set<Role>> settings,
        @Nullable String jmxBuilder) implements Check {
    /** The system property with the class that makes MBean servers. */
    static final String BUILDER = "javax.management.builder.initial";

    private static final List<String> CHANGES_OF_USERS = List.of("mops.broker.addUser", "mops.broker.resetUser");
    private static final String ARTEMIS = "org.apache.activemq.artemis.core.server.management.Artemis";
    private static final int MOST_NAMES = 5;

    @Override
    public void look(Findings found) {
        if (!configuration.isSecurityEnabled()) {
            return; // the check of security has reported it
        }
        Set<String> editors = SignetRoles.of(configuration, settings).editors();
        if (!configuration.isManagementMessageRbac()) {
            Set<String> managers = others(configuration.getManagementAddress().toString(), Role::isManage, editors);
            if (!managers.isEmpty()) {
                found.warn(
                        "management-message-rbac is false, so each role with manage may give users other roles, also one"
                                + " that changes policies: " + shown(managers),
                        "set <management-message-rbac> to true, and give edit on "
                                + String.join(" and ", CHANGES_OF_USERS) + " to no role that may not change policies");
            }
        } else {
            Set<String> changers = new TreeSet<>();
            CHANGES_OF_USERS.forEach(change -> changers.addAll(others(change, Role::isEdit, editors)));
            if (!changers.isEmpty()) {
                found.warn(
                        "roles may give users other roles, also one that changes policies: " + shown(changers),
                        "add security settings for " + String.join(" and ", CHANGES_OF_USERS)
                                + " without edit for these roles");
            }
        }
        if (configuration.isJMXManagementEnabled() && (jmxBuilder == null || !jmxBuilder.startsWith(ARTEMIS))) {
            found.warn(
                    "JMX is not guarded, so each user of this process's JMX may call all operations of the broker",
                    "start the broker by artemis run with the <authorisation> of etc/management.xml, or set"
                            + " jmx-management-enabled to false");
        }
    }

    private Set<String> others(String address, Predicate<Role> right, Set<String> editors) {
        @Nullable Set<Role> roles = settings.getMatch(address);
        Set<String> names = roles == null ? new TreeSet<>() : SignetRoles.names(roles, right);
        names.removeAll(editors);
        return names;
    }

    private static String shown(Set<String> names) {
        return names.stream().limit(MOST_NAMES).map(Shown::name).collect(Collectors.joining(", "))
                + (names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "");
    }
}
