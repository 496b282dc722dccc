/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The roles of users who may manage policies over the network.
 *
 * @param admin may change and read them; empty if no role may change them
 * @param viewer may read them; empty if no other role may
 */
public record Roles(Optional<String> admin, Optional<String> viewer) {
    /** No roles. */
    public static final Roles NONE = new Roles(Optional.empty(), Optional.empty());

    static final String SETTINGS = "security-settings";
    static final String SETTING = "security-setting";

    private static final Pattern NAME = Pattern.compile("[^,\\p{Cc}\\s](?:[^,\\p{Cc}]*[^,\\p{Cc}\\s])?");

    /** @throws IllegalArgumentException if a text cannot be the name of a role */
    public Roles {
        Stream.of(admin, viewer)
                .flatMap(Optional::stream)
                .filter(role -> !NAME.matcher(role).matches())
                .findFirst()
                .ifPresent(role -> {
                    throw new IllegalArgumentException("one role, without commas, found '" + role + "'");
                });
    }

    /** Returns the names of both. */
    Set<String> names() {
        return Stream.of(admin, viewer).flatMap(Optional::stream).collect(Collectors.toCollection(TreeSet::new));
    }

    boolean areNamed() {
        return admin.isPresent() || viewer.isPresent();
    }

    /** Returns the names of the roles that have each type of permission. */
    private Map<String, Set<String>> permissions() {
        Map<String, Set<String>> permissions = new TreeMap<>();
        admin.ifPresent(role -> permissions.put("edit", Set.of(role)));
        Set<String> view = new LinkedHashSet<>();
        admin.ifPresent(view::add);
        viewer.ifPresent(view::add);
        permissions.put("view", view);
        return permissions;
    }

    /** Returns the setting for operations of the plugin, with these line breaks before each permission and the end. */
    String setting(String match, String beforePermission, String beforeEnd) {
        StringBuilder setting = new StringBuilder("<" + SETTING + " match=\"" + BrokerXml.escape(match) + "\">");
        permissions()
                .forEach((type, roles) -> setting.append(beforePermission)
                        .append("<permission type=\"")
                        .append(type)
                        .append("\" roles=\"")
                        .append(BrokerXml.escape(String.join(",", roles)))
                        .append("\"/>"));
        return setting.append(beforeEnd).append("</" + SETTING + ">").toString();
    }

    /** Whether a setting gives exactly these permissions. */
    boolean areIn(XmlElement setting) {
        return permissions(setting).equals(permissions());
    }

    /** Returns the names of the roles that a setting gives each type of permission. */
    static Map<String, Set<String>> permissions(XmlElement setting) {
        Map<String, Set<String>> there = new TreeMap<>();
        setting.all("permission")
                .forEach(permission -> there.computeIfAbsent(permission.attribute("type"), type -> new TreeSet<>())
                        .addAll(Arrays.stream(permission.attribute("roles").split(","))
                                .map(String::strip)
                                .filter(role -> !role.isEmpty())
                                .toList()));
        there.values().removeIf(Set::isEmpty);
        return there;
    }
}
