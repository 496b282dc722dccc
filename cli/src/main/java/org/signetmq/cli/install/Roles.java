/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.cli.install.Instance.UnusableInstanceException;

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

    /** Returns the elements of permissions that a setting for operations of the plugin has. */
    private List<String> elements() {
        return elements(permissions());
    }

    private static List<String> elements(Map<String, Set<String>> permissions) {
        List<String> elements = new ArrayList<>();
        permissions.forEach((type, roles) -> elements.add(roles.stream()
                .map(BrokerXml::escape)
                .collect(Collectors.joining(
                        ",", "<permission type=\"" + BrokerXml.escape(type) + "\" roles=\"", "\"/>"))));
        return elements;
    }

    private static Optional<XmlElement> with(String match, List<XmlElement> settings) {
        return settings.stream()
                .filter(setting -> setting.attribute("match").equals(match))
                .findFirst();
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

    /** The setting of security of a broker that says which roles may manage policies over the network. */
    record PolicyRoles(WholeConfiguration whole, InstallRecord record) {
        private static final String OPERATIONS = "mops.";

        /** Returns the match of all operations of the plugin, in the wildcards of the broker. */
        private String match() {
            return OPERATIONS + "signet." + whole.syntax().anyWords();
        }

        /**
         * Returns the text with the setting for these roles; the same text if none is named, or it is there.
         *
         * @throws UnusableInstanceException if another setting is there, or an included file lists the settings
         */
        BrokerXml into(BrokerXml text, Roles roles) {
            if (!roles.areNamed()) {
                return text;
            }
            String match = match();
            Optional<XmlElement> there = with(match, whole.securitySettings());
            if (there.filter(roles::areIn).isPresent()) {
                return text;
            }
            boolean isOwn = text.made(record).isPresent() && text.made(record).equals(text.setting(match));
            UnusableInstanceException.unless(
                    there.isEmpty() || isOwn,
                    there.map(setting -> described(setting, roles)).orElse(""));
            whole.included(Roles.SETTINGS).ifPresent(file -> {
                throw new UnusableInstanceException(file + ": is included by " + Instance.BROKER_XML
                        + " and lists its settings of security; install again when this is among them: "
                        + BrokerXml.setting(SETTING, match, roles.elements(), "", ""));
            });
            return text.withSetting(match, roles.elements(), record);
        }

        private String described(XmlElement setting, Roles roles) {
            String permissions = setting.all("permission").stream()
                    .map(permission -> permission.attribute("type") + ": " + permission.attribute("roles"))
                    .collect(Collectors.joining("; ", "(", ")"));
            return setting.file() + ": has another setting of security for " + match() + " " + permissions
                    + ", which is not overwritten; write this in its place, or leave the roles out: "
                    + BrokerXml.setting(SETTING, match(), roles.elements(), "", "");
        }

        /** Whether others have changed the setting that installing made. */
        boolean areOfOthersNow(BrokerXml text) {
            return record.setting().isPresent()
                    && text.made(record).isEmpty()
                    && text.setting(match()).isPresent();
        }

        /** Returns the roles that may manage or read policies. */
        Set<String> in(BrokerXml text) {
            return text.setting(match()).or(() -> with(match(), whole.securitySettings())).stream()
                    .flatMap(setting -> permissions(setting).entrySet().stream())
                    .filter(permission -> List.of("edit", "view").contains(permission.getKey()))
                    .flatMap(permission -> permission.getValue().stream())
                    .collect(Collectors.toSet());
        }

        /** Whether a role may manage policies: there is a setting for operations of management. */
        boolean mayManage(BrokerXml text) {
            return text.setting(match()).isPresent()
                    || whole.securitySettings().stream()
                            .anyMatch(setting -> setting.attribute("match").startsWith(OPERATIONS));
        }
    }

    /**
     * The rights of roles on the address of the broker's management. Users without them reach no operation of Signet.
     *
     * <p>Artemis takes one setting of security for an address: the most specific one. So a setting for this address
     * must repeat the rights of the setting that was in force.
     */
    record ManagementRights(WholeConfiguration whole, InstallRecord record) {
        /** To send a request, and to receive the answer on a temporary queue. */
        private static final List<String> NEEDED =
                List.of("manage", "send", "consume", "createNonDurableQueue", "createAddress");

        private String match() {
            return whole.managementAddress() + "." + whole.syntax().anyWords();
        }

        /**
         * Returns the text with the rights that these roles lack; the same text if they have all.
         *
         * @param warnings takes what an administrator must write or know
         * @throws UnusableInstanceException if an included file lists the settings
         */
        BrokerXml into(BrokerXml text, Roles roles, List<String> warnings) {
            if (!roles.areNamed()) {
                return text;
            }
            String former = record.managementRights();
            BrokerXml rest = without(text);
            List<XmlElement> settings = whole.included(Roles.SETTINGS).isPresent()
                    ? whole.securitySettings()
                    : rest.core().first(Roles.SETTINGS).stream()
                            .flatMap(list -> list.all(Roles.SETTING).stream())
                            .toList();
            if (whole.syntax().delimiter() != '.' || settings.stream().anyMatch(this::mayCompete)) {
                warnings.add(Instance.BROKER_XML + ": the roles need the permissions " + String.join(", ", NEEDED)
                        + " on "
                        + whole.managementAddress() + " and the queues below it; which setting of security is in force "
                        + "there is not known here, so none was written");
                return text;
            }
            Optional<XmlElement> own = with(match(), settings);
            Map<String, Set<String>> rights = own.or(
                            () -> with("" + whole.syntax().anyWords(), settings))
                    .map(Roles::permissions)
                    .orElseGet(TreeMap::new);
            Map<String, Set<String>> missing = new TreeMap<>();
            for (String type : NEEDED) {
                Set<String> lacking = roles.names();
                lacking.removeAll(rights.getOrDefault(type, Set.of()));
                if (!lacking.isEmpty()) {
                    missing.put(type, lacking);
                }
            }
            if (missing.isEmpty()) {
                record.managementRightsAre("");
                return rest;
            }
            whole.included(Roles.SETTINGS).ifPresent(file -> {
                throw new UnusableInstanceException(file + ": is included by " + Instance.BROKER_XML
                        + " and lists its settings of security; install again when that for " + match() + " has also: "
                        + String.join("", elements(missing)));
            });
            BrokerXml after;
            if (own.isPresent()) {
                after = rest.withMorePermissions(match(), elements(missing), record);
            } else {
                missing.forEach((type, names) ->
                        rights.computeIfAbsent(type, absent -> new TreeSet<>()).addAll(names));
                after = rest.withManagementSetting(match(), elements(rights), record);
            }
            boolean wereThere = !rest.text().equals(text.text());
            if (wereThere && record.managementRights().equals(former)) {
                return text; // so they stay in their place
            }
            if (!whole.isManagementMessageRbac()) {
                warnings.add(
                        "the roles get the permission manage, and management-message-rbac is not true in "
                                + Instance.BROKER_XML
                                + ": each user with manage may call every operation of the broker's "
                                + "management, and give users other roles; docs/users-and-rights.md has the settings against it");
            }
            return after;
        }

        /** Returns the text without the rights that installing wrote; the same text if others changed them since. */
        BrokerXml without(BrokerXml text) {
            return text.withoutManagementRights(match(), record);
        }

        /** Whether others have changed the rights that installing wrote. */
        boolean areOfOthersNow(BrokerXml text) {
            return !record.managementRights().isEmpty()
                    && text.setting(match()).isPresent()
                    && without(text).equals(text);
        }

        /** Whether a setting may be in force for the management, and is neither for it alone nor for all addresses. */
        private boolean mayCompete(XmlElement setting) {
            String match = setting.attribute("match");
            String any = "" + whole.syntax().anyWords();
            if (match.equals(match()) || match.equals(any)) {
                return false;
            }
            String[] words = match.split("\\.", -1);
            String[] own = whole.managementAddress().split("\\.", -1);
            for (int i = 0; i < own.length; i++) {
                if (i < words.length && words[i].equals(any)) {
                    return true;
                }
                if (i == words.length
                        || !(words[i].equals(own[i])
                                || words[i].equals("" + whole.syntax().singleWord()))) {
                    return false;
                }
            }
            return true;
        }
    }
}
