/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.settings.HierarchicalRepository;

/**
 * The names of the roles with rights on Signet's own operations.
 *
 * @param viewers the roles that may read
 * @param editors the roles that may change policies
 */
record SignetRoles(Set<String> viewers, Set<String> editors) {
    /** Returns the roles of a broker with these security settings in force. */
    static SignetRoles of(Configuration configuration, HierarchicalRepository<Set<Role>> settings) {
        Set<Role> roles = new OperationRoles(configuration, settings).of("listFindings");
        return new SignetRoles(names(roles, Role::isView), names(roles, Role::isEdit));
    }

    /** Returns the names of the roles with a right. */
    static Set<String> names(Set<Role> roles, Predicate<Role> right) {
        return roles.stream().filter(right).map(Role::getName).collect(Collectors.toCollection(TreeSet::new));
    }
}
