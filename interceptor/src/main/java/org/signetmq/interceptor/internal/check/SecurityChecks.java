/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.SecuritySettingPlugin;
import org.apache.activemq.artemis.core.settings.HierarchicalRepository;
import org.apache.activemq.artemis.core.settings.impl.HierarchicalObjectRepository;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.PluginSettings.Store;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/**
 * Checks that the broker knows its users where policies need it, and that few of them may change policies.
 *
 * @param settings the security settings in force
 */
public record SecurityChecks(Configuration configuration, HierarchicalRepository<Set<Role>> settings) {
    /** The beginning of the names that Signet's operations have in security settings. */
    public static final String PREFIX = "mops.signet.";

    /** The system property with the class that makes MBean servers. */
    static final String BUILDER = "javax.management.builder.initial";

    private static final List<String> CHANGES_OF_USERS = List.of("mops.broker.addUser", "mops.broker.resetUser");
    private static final String ARTEMIS = "org.apache.activemq.artemis.core.server.management.Artemis";

    /**
     * Checks the users and their rights on Signet's operations.
     *
     * @param policies the policies in force
     * @param store the place of the policies
     */
    void users(PolicySet policies, Store store, Findings found) {
        if (configuration.isSecurityEnabled()) {
            rights(store, found);
            return;
        }
        List<String> vouching = policies.policies().stream()
                .filter(policy -> policy.quality().provesSender())
                .filter(policy -> !policy.signing().brokers().isEmpty())
                .map(Policy::pattern)
                .toList();
        if (!vouching.isEmpty()) {
            found.wrong(
                    "the broker checks no users, so the messages of " + vouching.size()
                            + " policies that name brokers have no sender, such as " + Findings.name(vouching.get(0)),
                    "set security-enabled to true in broker.xml, and restart the broker");
        }
        if (store == Store.BROKER) {
            found.wrong(
                    "the broker checks no users, so every client may change the policies",
                    "set security-enabled to true in broker.xml, run signet broker install with --admin-role and"
                            + " --viewer-role, and restart the broker");
        }
    }

    private void rights(Store store, Findings found) {
        Set<String> editors = onSignet(Role::isEdit);
        if (editors.isEmpty() && onSignet(Role::isView).isEmpty()) {
            found.wrong(
                    "no role may see Signet's state or change policies: broker.xml has no security setting for mops.signet.#"
                            + " that gives view or edit, or another one is in force",
                    "run signet broker install with --viewer-role and --admin-role; remove a setting that the management"
                            + " added by removeSecuritySettings");
        } else if (editors.isEmpty() && store == Store.BROKER) {
            found.warn(
                    "no role may change the policies: no security setting for mops.signet.# gives edit",
                    "run signet broker install with --admin-role");
        }
        List<String> both = editors.stream().filter(this::administersQueues).toList();
        if (!both.isEmpty()) {
            found.warn(
                    "the same role changes policies and administers queues: " + Findings.names(both),
                    "give edit on mops.signet.# to a role of its own by signet broker install --admin-role");
        }
    }

    /** Returns the names of the roles with a right on Signet's own operations. */
    private Set<String> onSignet(Predicate<Role> right) {
        return names(rolesOf("listFindings"), right);
    }

    private static Set<String> names(Set<Role> roles, Predicate<Role> right) {
        return roles.stream().filter(right).map(Role::getName).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Tells whether a role may delete other queues than those for answers of the management. */
    private boolean administersQueues(String role) {
        Predicate<Role> administers =
                given -> given.getName().equals(role) && (given.isDeleteDurableQueue() || given.isDeleteAddress());
        String management = configuration.getManagementAddress().toString();
        Set<Set<Role>> ofManagement = new HashSet<>();
        Set<Set<Role>> ofOthers = new HashSet<>();
        configuration
                .getSecurityRoles()
                .forEach((pattern, roles) -> (pattern.startsWith(management) ? ofManagement : ofOthers).add(roles));
        Stream<Set<Role>> inForce = settings.values().stream().filter(roles -> !ofManagement.contains(roles));
        return Stream.concat(ofOthers.stream(), inForce)
                .anyMatch(roles -> roles.stream().anyMatch(administers));
    }

    /**
     * Checks that the broker's own management does not give the rights of Signet's administrators to others. It can
     * give other roles to users, if the broker keeps its users itself.
     *
     * @param jmxBuilder the class that makes this process's MBean servers; null for that of Java
     */
    void management(@Nullable String jmxBuilder, Findings found) {
        if (!configuration.isSecurityEnabled()) {
            return; // the check of users has reported it
        }
        if (!configuration.isManagementMessageRbac()) {
            Set<String> managers = others(configuration.getManagementAddress().toString(), Role::isManage);
            if (!managers.isEmpty()) {
                found.warn(
                        "management-message-rbac is false, so each role with manage may give users other roles, also one"
                                + " that changes policies: " + Findings.names(managers),
                        "set <management-message-rbac> to true, and give edit on "
                                + String.join(" and ", CHANGES_OF_USERS) + " to no role that may not change policies");
            }
        } else {
            Set<String> changers = new TreeSet<>();
            CHANGES_OF_USERS.forEach(change -> changers.addAll(others(change, Role::isEdit)));
            if (!changers.isEmpty()) {
                found.warn(
                        "roles may give users other roles, also one that changes policies: " + Findings.names(changers),
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

    /** Returns the names of the roles with a right on an address that may not change policies. */
    private Set<String> others(String address, Predicate<Role> right) {
        @Nullable Set<Role> roles = settings.getMatch(address);
        Set<String> names = names(roles == null ? Set.of() : roles, right);
        names.removeAll(onSignet(Role::isEdit));
        return names;
    }

    /**
     * Returns the roles with any right on an operation of Signet. Such a right comes from a security setting for
     * Signet's operations in broker.xml, or from a plugin for security settings that broker.xml names.
     *
     * <p>A setting for more addresses, such as {@code #}, gives no right. Neither does a setting that a user added by
     * the broker's management: Artemis lets each user with the permission {@code manage} add one. There are none if the
     * setting in force is not that of broker.xml.
     */
    public Set<Role> rolesOf(String operation) {
        HierarchicalRepository<Set<Role>> configured =
                new HierarchicalObjectRepository<>(configuration.getWildcardConfiguration());
        Stream.concat(
                        Stream.of(configuration.getSecurityRoles()),
                        configuration.getSecuritySettingPlugins().stream()
                                .map(SecuritySettingPlugin::getSecurityRoles)
                                .filter(Objects::nonNull))
                .flatMap(roles -> roles.entrySet().stream())
                .filter(setting -> setting.getKey().startsWith(PREFIX))
                .forEach(setting -> configured.addMatch(setting.getKey(), setting.getValue()));
        @Nullable Set<Role> wanted = configured.getMatch(PREFIX + operation);
        return wanted != null && wanted.equals(settings.getMatch(PREFIX + operation)) ? wanted : Set.of();
    }
}
