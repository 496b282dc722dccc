/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Plans the page for administrators in the broker's web server. */
record WebConsole(Instance instance) {
    private static final String MANAGEMENT_XML = "etc/management.xml";
    private static final String PROFILE = "etc/artemis.profile";
    private static final Pattern CONSOLE_ROLES = Pattern.compile("(?m)^HAWTIO_ROLES=(['\"]?)(.*)\\1\\s*$");

    /** Takes the content of a file after the change; an empty one removes the file. */
    @FunctionalInterface
    interface Change {
        void of(String file, Optional<byte[]> after) throws IOException;
    }

    /** Adds the page, replaces it by a newer one, or removes it. Returns whether the broker has it then. */
    boolean place(Page page, Change change) throws IOException {
        Optional<byte[]> content = instance.read(Instance.BOOTSTRAP_XML);
        if (!page.wanted().orElse(false) && !content.map(WebConsole::hasPage).orElse(false)) {
            return false;
        }
        if (!page.wanted().orElse(true)) {
            remove(change);
            return false;
        }
        byte[] before = content.orElseThrow(
                () -> new UnusableInstanceException(Instance.BOOTSTRAP_XML + ": not there; leave --console out"));
        byte[] after = BootstrapXml.of(before).withPage().bytes();
        if (!Arrays.equals(before, after)) {
            change.of(Instance.BOOTSTRAP_BACKUP, content);
        }
        change.of(Instance.CONSOLE_WAR, Optional.of(page.war()));
        change.of(Instance.BOOTSTRAP_XML, Optional.of(after));
        return true;
    }

    /** Whether a bootstrap.xml has the page. A file that cannot be read has none: without the option it stays. */
    private static boolean hasPage(byte[] bootstrapXml) {
        try {
            return BootstrapXml.of(bootstrapXml).hasPage();
        } catch (UnusableInstanceException unreadable) {
            return false;
        }
    }

    /** Removes the page, and the backup that has nothing else. */
    void remove(Change change) throws IOException {
        Optional<byte[]> content = instance.read(Instance.BOOTSTRAP_XML);
        Optional<byte[]> backup = instance.read(Instance.BOOTSTRAP_BACKUP);
        if (!content.map(WebConsole::hasPage).orElse(false)) {
            return;
        }
        byte[] after = BootstrapXml.of(content.get()).withoutPage().bytes();
        change.of(Instance.BOOTSTRAP_XML, Optional.of(after));
        change.of(Instance.CONSOLE_WAR, Optional.empty());
        if (backup.isPresent() && Arrays.equals(backup.get(), after)) {
            change.of(Instance.BOOTSTRAP_BACKUP, Optional.empty());
        }
    }

    /**
     * Returns what keeps users with these roles from the page: other guards of the broker, which have their own lists.
     */
    List<String> warnings(Set<String> roles) throws IOException {
        List<String> warnings = new ArrayList<>();
        Optional<String> profile = text(PROFILE);
        if (profile.isPresent()) {
            Matcher line = CONSOLE_ROLES.matcher(profile.get());
            String known = line.find() ? line.group(2) : "";
            List<String> missing = missing(roles, known);
            if (!known.isEmpty() && !known.equals("*") && !missing.isEmpty()) {
                warnings.add(PROFILE + ": users with the role " + String.join(", ", missing)
                        + " cannot sign in to the console; write HAWTIO_ROLES='" + known + ","
                        + String.join(",", missing) + "'");
            }
        }
        Optional<String> management = text(MANAGEMENT_XML);
        if (management.isPresent()) {
            List<String> missing = missing(roles, rolesOfManagement(management.get()));
            if (!missing.isEmpty()) {
                warnings.add(MANAGEMENT_XML + ": lets no user with the role " + String.join(", ", missing)
                        + " call Signet from the console; write this into <role-access>: "
                        + "<match domain=\"org.apache.activemq.artemis\" key=\"component=signet\"><access method=\"*\" roles=\""
                        + roles.stream().sorted().map(BrokerXml::escape).collect(Collectors.joining(","))
                        + "\"/></match>");
            }
        }
        return warnings;
    }

    private Optional<String> text(String file) throws IOException {
        return instance.read(file).map(content -> new String(content, StandardCharsets.UTF_8));
    }

    /**
     * Returns the roles that may call each method of Signet, by the match for it alone or that for all of the broker.
     */
    private static String rolesOfManagement(String xml) {
        try {
            List<XmlElement> matches = XmlElement.parse(xml, MANAGEMENT_XML).allWithin("match").stream()
                    .filter(match -> match.attribute("domain").equals("org.apache.activemq.artemis"))
                    .filter(match -> List.of("", "component=signet").contains(match.attribute("key")))
                    .sorted((one, other) -> other.attribute("key").compareTo(one.attribute("key")))
                    .toList();
            return matches.stream()
                    .limit(1)
                    .flatMap(match -> match.all("access").stream())
                    .filter(access -> access.attribute("method").equals("*"))
                    .map(access -> access.attribute("roles"))
                    .collect(Collectors.joining(","));
        } catch (UnusableInstanceException unreadable) {
            return ""; // the broker will say so
        }
    }

    private static List<String> missing(Set<String> roles, String known) {
        Set<String> there = Arrays.stream(known.split(",")).map(String::strip).collect(Collectors.toSet());
        return roles.stream().filter(role -> !there.contains(role)).sorted().toList();
    }
}
