/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.policy.WildcardSyntax;

/** The setting of security of a broker that says which roles may manage policies over the network. */
record PolicyRoles(WholeConfiguration whole, InstallRecord record) {
    private static final String OPERATIONS = "mops.";

    /** Returns the match of all operations of the plugin, in the wildcards of the broker. */
    private String match() {
        return OPERATIONS + "signet."
                + whole.wildcards().orElse(WildcardSyntax.DEFAULT).anyWords();
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
        Optional<XmlElement> there = whole.securitySettings().stream()
                .filter(setting -> setting.attribute("match").equals(match))
                .findFirst();
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
                    + roles.setting(match, "", ""));
        });
        return text.withSetting(match, roles, record);
    }

    private String described(XmlElement setting, Roles roles) {
        String permissions = setting.all("permission").stream()
                .map(permission -> permission.attribute("type") + ": " + permission.attribute("roles"))
                .collect(Collectors.joining("; ", "(", ")"));
        return setting.file() + ": has another setting of security for " + match() + " " + permissions
                + ", which is not overwritten; write this in its place, or leave the roles out: "
                + roles.setting(match(), "", "");
    }

    /** Whether others have changed the setting that installing made. */
    boolean areOfOthersNow(BrokerXml text) {
        return record.setting().isPresent()
                && text.made(record).isEmpty()
                && text.setting(match()).isPresent();
    }

    /** Returns the roles that may manage or read policies. */
    Set<String> in(BrokerXml text) {
        return Stream.concat(text.setting(match()).stream(), whole.securitySettings().stream())
                .filter(setting -> setting.attribute("match").equals(match()))
                .limit(1)
                .flatMap(setting -> setting.all("permission").stream())
                .filter(permission -> List.of("edit", "view").contains(permission.attribute("type")))
                .flatMap(permission ->
                        Arrays.stream(permission.attribute("roles").split(",")))
                .map(String::strip)
                .filter(role -> !role.isEmpty())
                .collect(Collectors.toSet());
    }

    /** Whether a role may manage policies: there is a setting for operations of management. */
    boolean mayManage(BrokerXml text) {
        return text.setting(match()).isPresent()
                || whole.securitySettings().stream()
                        .anyMatch(setting -> setting.attribute("match").startsWith(OPERATIONS));
    }
}
