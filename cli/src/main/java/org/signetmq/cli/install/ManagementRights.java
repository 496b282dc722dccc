/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.signetmq.policy.WildcardSyntax;

/**
 * The rights of roles on the address of the broker's management. Users without them reach no operation of Signet.
 *
 * <p>Artemis takes one setting of security for an address: the most specific one. So a setting for this address must
 * repeat the rights of the setting that was in force.
 */
record ManagementRights(WholeConfiguration whole, InstallRecord record) {
    /** To send a request, and to receive the answer on a temporary queue. */
    private static final List<String> NEEDED =
            List.of("manage", "send", "consume", "createNonDurableQueue", "createAddress");

    private WildcardSyntax wildcards() {
        return whole.wildcards().orElse(WildcardSyntax.DEFAULT);
    }

    private String match() {
        return whole.managementAddress() + "." + wildcards().anyWords();
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
        if (wildcards().delimiter() != '.' || settings.stream().anyMatch(this::mayCompete)) {
            warnings.add(Instance.BROKER_XML + ": the roles need the permissions " + String.join(", ", NEEDED) + " on "
                    + whole.managementAddress() + " and the queues below it; which setting of security is in force "
                    + "there is not known here, so none was written");
            return text;
        }
        Optional<XmlElement> own = with(match(), settings);
        Map<String, Set<String>> rights = own.or(() -> with("" + wildcards().anyWords(), settings))
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
            warnings.add("the roles get the permission manage, and management-message-rbac is not true in "
                    + Instance.BROKER_XML + ": each user with manage may call every operation of the broker's "
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
        String any = "" + wildcards().anyWords();
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
                            || words[i].equals("" + wildcards().singleWord()))) {
                return false;
            }
        }
        return true;
    }

    private static Optional<XmlElement> with(String match, List<XmlElement> settings) {
        return settings.stream()
                .filter(setting -> setting.attribute("match").equals(match))
                .findFirst();
    }

    private static List<String> elements(Map<String, Set<String>> rights) {
        List<String> elements = new ArrayList<>();
        rights.forEach((type, roles) -> elements.add(roles.stream()
                .map(BrokerXml::escape)
                .collect(Collectors.joining(
                        ",", "<permission type=\"" + BrokerXml.escape(type) + "\" roles=\"", "\"/>"))));
        return elements;
    }
}
