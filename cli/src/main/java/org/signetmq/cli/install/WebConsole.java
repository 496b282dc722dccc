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
import org.signetmq.cli.install.Instance.UnusableInstanceException;
import org.signetmq.cli.install.Jars.Page;

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

    /**
     * The text of a bootstrap.xml, which names the applications of the broker's web server. Editing gives a new one.
     */
    record BootstrapXml(String text, XmlElement root) {
        private static final String APP = "app";
        private static final String WAR = "war";
        private static final String ENTRY = "<app name=\"signet\" url=\"signet\" war=\"signet-console.war\"/>";
        private static final String CONSOLE = "console";

        /** @throws UnusableInstanceException if the bytes are no XML in UTF-8 */
        static BootstrapXml of(byte[] utf8) {
            return of(XmlElement.decoded(utf8, Instance.BOOTSTRAP_XML));
        }

        private static BootstrapXml of(String text) {
            return new BootstrapXml(text, XmlElement.parse(text, Instance.BOOTSTRAP_XML));
        }

        byte[] bytes() {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        private Optional<XmlElement> application(String attribute, String value) {
            return root.all("web").stream()
                    .flatMap(web -> web.allWithin(APP).stream())
                    .filter(app -> app.attribute(attribute).equals(value))
                    .findFirst();
        }

        /** Whether the web server has the page. */
        boolean hasPage() {
            return application(WAR, Instance.nameOf(Instance.CONSOLE_WAR)).isPresent();
        }

        /**
         * Returns the same text with the page behind the broker's console, on the same port.
         *
         * @throws UnusableInstanceException if there is no console, whose sign-in the page needs
         */
        BootstrapXml withPage() {
            if (hasPage()) {
                return this;
            }
            XmlElement console = application("url", CONSOLE)
                    .orElseThrow(() -> new UnusableInstanceException(Instance.BOOTSTRAP_XML
                            + ": has no web server with the console of the broker, whose sign-in the page needs; leave "
                            + "--console out, or add <web path=\"web\"> as artemis create without --no-web does"));
            String folder = root.first("web").map(web -> web.attribute("path")).orElse("");
            UnusableInstanceException.unless(
                    folder.equals("web"),
                    Instance.BOOTSTRAP_XML + ": the web server has its applications in '" + folder
                            + "', and installing knows only 'web'; put signet-console.war there by hand");
            UnusableInstanceException.unless(
                    application("url", "signet").isEmpty(),
                    Instance.BOOTSTRAP_XML + ": another application has the URL signet; rename it first");
            int end = console.place().end();
            String before = text.substring(0, console.place().start());
            String indent = before.substring(before.stripTrailing().length());
            return of(text.substring(0, end) + indent + ENTRY + text.substring(end));
        }

        /** Returns the same text without the page, and without the blanks before it. */
        BootstrapXml withoutPage() {
            return application(WAR, Instance.nameOf(Instance.CONSOLE_WAR))
                    .map(page -> of(text.substring(0, page.place().start()).stripTrailing()
                            + text.substring(page.place().end())))
                    .orElse(this);
        }
    }
}
