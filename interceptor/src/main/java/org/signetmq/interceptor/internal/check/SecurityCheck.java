/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.settings.HierarchicalRepository;
import org.signetmq.interceptor.internal.home.PluginSettings.Store;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/**
 * Checks that the broker knows its users where policies need it, and that few of them may change policies.
 *
 * @param settings the security settings in force
 * @param policies the policies in force
 * @param store the place of the policies
 */
record SecurityCheck(
        Configuration configuration, HierarchicalRepository<Set<Role>> settings, PolicySet policies, Store store)
        implements Check {
    private static final int MOST_NAMES = 5;

    @Override
    public void look(Findings found) {
        if (configuration.isSecurityEnabled()) {
            rights(found);
            return;
        }
        List<String> vouching = policies.policies().stream()
                .filter(policy -> policy.quality().signs())
                .filter(policy -> !policy.signing().brokers().isEmpty())
                .map(Policy::pattern)
                .toList();
        if (!vouching.isEmpty()) {
            found.wrong(
                    "the broker checks no users, so the messages of " + vouching.size()
                            + " policies that name brokers have no sender, such as " + Shown.name(vouching.get(0)),
                    "set security-enabled to true in broker.xml, and restart the broker");
        }
        if (store == Store.BROKER) {
            found.wrong(
                    "the broker checks no users, so every client may change the policies",
                    "set security-enabled to true in broker.xml, run signet broker install with --admin-role and"
                            + " --viewer-role, and restart the broker");
        }
    }

    private void rights(Findings found) {
        SignetRoles roles = SignetRoles.of(configuration, settings);
        if (roles.viewers().isEmpty() && roles.editors().isEmpty()) {
            found.wrong(
                    "no role may see Signet's state or change policies: broker.xml has no security setting for mops.signet.#"
                            + " that gives view or edit, or another one is in force",
                    "run signet broker install with --viewer-role and --admin-role; remove a setting that the management"
                            + " added by removeSecuritySettings");
        } else if (roles.editors().isEmpty() && store == Store.BROKER) {
            found.warn(
                    "no role may change the policies: no security setting for mops.signet.# gives edit",
                    "run signet broker install with --admin-role");
        }
        List<String> both = roles.editors().stream()
                .filter(this::administersQueues)
                .limit(MOST_NAMES)
                .map(Shown::name)
                .toList();
        if (!both.isEmpty()) {
            found.warn(
                    "the same role changes policies and administers queues: " + String.join(", ", both),
                    "give edit on mops.signet.# to a role of its own by signet broker install --admin-role");
        }
    }

    /** Tells whether a role may delete other queues than those for answers of the management. */
    private boolean administersQueues(String role) {
        Predicate<Role> administers =
                given -> given.getName().equals(role) && (given.isDeleteDurableQueue() || given.isDeleteAddress());
        String management = configuration.getManagementAddress().toString();
        Map<Boolean, Set<Set<Role>>> inFile = configuration.getSecurityRoles().entrySet().stream()
                .collect(Collectors.partitioningBy(
                        setting -> setting.getKey().startsWith(management),
                        Collectors.mapping(Map.Entry::getValue, Collectors.toSet())));
        Stream<Set<Role>> inForce =
                settings.values().stream().filter(roles -> !inFile.get(true).contains(roles));
        return Stream.concat(inFile.get(false).stream(), inForce)
                .anyMatch(roles -> roles.stream().anyMatch(administers));
    }
}
