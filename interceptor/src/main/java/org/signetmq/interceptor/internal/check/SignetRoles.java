/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.settings.HierarchicalRepository;
import org.jspecify.annotations.Nullable;

/**
 * The roles with rights on Signet's own operations. A security setting for more addresses, such as {@code #}, gives no
 * such right.
 *
 * @param viewers the roles that may read
 * @param editors the roles that may change policies
 */
record SignetRoles(Set<String> viewers, Set<String> editors) {
    private static final String OPERATION = "mops.signet.listFindings";

    /** An address that no setting for Signet covers. */
    private static final String OTHER = "mops.not-signet.listFindings";

    /** Returns the roles of these security settings. */
    @SuppressWarnings("ReferenceEquality") // the broker returns the same object for all addresses of a setting
    static SignetRoles of(HierarchicalRepository<Set<Role>> settings) {
        @Nullable Set<Role> own = settings.getMatch(OPERATION);
        if (own == null || own == settings.getMatch(OTHER)) {
            return new SignetRoles(Set.of(), Set.of());
        }
        return new SignetRoles(names(own, Role::isView), names(own, Role::isEdit));
    }

    /** Returns the names of the roles with a right. */
    static Set<String> names(Set<Role> roles, Predicate<Role> right) {
        return roles.stream().filter(right).map(Role::getName).collect(Collectors.toCollection(TreeSet::new));
    }
}
