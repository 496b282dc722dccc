/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.SecuritySettingPlugin;
import org.apache.activemq.artemis.core.settings.HierarchicalRepository;
import org.apache.activemq.artemis.core.settings.impl.HierarchicalObjectRepository;
import org.jspecify.annotations.Nullable;

/**
 * Finds the roles that have rights on an operation of Signet. Such a right comes from a security setting for Signet's
 * operations in broker.xml, or from a plugin for security settings that broker.xml names.
 *
 * <p>A setting for more addresses, such as {@code #}, gives no right. Neither does a setting that a user added by the
 * broker's management: Artemis lets each user with the permission {@code manage} add one.
 *
 * @param configuration the configuration of the broker
 * @param inForce the security settings in force
 */
public record OperationRoles(Configuration configuration, HierarchicalRepository<Set<Role>> inForce) {
    /** The beginning of the names that Signet's operations have in security settings. */
    public static final String PREFIX = "mops.signet.";

    /** Returns the roles with any right on an operation; none if the setting in force is not that of broker.xml. */
    public Set<Role> of(String operation) {
        HierarchicalRepository<Set<Role>> configured =
                new HierarchicalObjectRepository<>(configuration.getWildcardConfiguration());
        settings()
                .flatMap(settings -> settings.entrySet().stream())
                .filter(setting -> setting.getKey().startsWith(PREFIX))
                .forEach(setting -> configured.addMatch(setting.getKey(), setting.getValue()));
        @Nullable Set<Role> wanted = configured.getMatch(PREFIX + operation);
        return wanted != null && wanted.equals(inForce.getMatch(PREFIX + operation)) ? wanted : Set.of();
    }

    private Stream<Map<String, Set<Role>>> settings() {
        return Stream.concat(
                Stream.of(configuration.getSecurityRoles()),
                configuration.getSecuritySettingPlugins().stream()
                        .map(SecuritySettingPlugin::getSecurityRoles)
                        .filter(Objects::nonNull));
    }
}
