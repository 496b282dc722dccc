/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.install.Instance.UnusableInstanceException;
import org.signetmq.policy.WildcardSyntax;

/** The elements of broker.xml, with those of included files in place of each include, as the broker sees them. */
final class WholeConfiguration {
    private static final long MOST_BYTES = 16L << 20;

    /** The limit for all files together. Each counts as often as it is included. */
    private static final long MOST_BYTES_IN_ALL = 64L << 20;

    private static final int MOST_FILES = 1000;

    /** The most files that include each other in a row. */
    private static final int DEEPEST = 100;

    private final Instance instance;
    private final XmlElement root;
    private final List<String> unread = new ArrayList<>();
    private final Deque<Path> reading = new ArrayDeque<>();
    private int files;
    private long bytes;
    private @Nullable Path excess;

    /** @throws UnusableInstanceException if the files are too many or too long */
    WholeConfiguration(Instance instance, String brokerXml) {
        this.instance = instance;
        reading.push(instance.path(Instance.BROKER_XML));
        root = XmlElement.parse(brokerXml, Instance.BROKER_XML, 1, this::seen);
        // files that include each other ten times grow by a power of ten
        UnusableInstanceException.unless(
                excess == null,
                "broker.xml includes more than " + MOST_FILES + " files or " + (MOST_BYTES_IN_ALL >> 20)
                        + " MiB, the last of them " + excess + "; include each file once");
    }

    /** Returns the elements that the broker sees in place of one at a depth. */
    private List<XmlElement> seen(XmlElement element, int depth) {
        // elements of federations have this name, too, and name no file
        if (!element.name().equals("include") || !element.attributes().containsKey("href")) {
            return List.of(element);
        }
        List<XmlElement> elements = new ArrayList<>();
        List<Path> named = files(element);
        boolean complete = !named.isEmpty();
        for (Path file : named) {
            Optional<List<XmlElement>> included = read(file, depth);
            included.ifPresent(elements::addAll);
            complete &= included.isPresent();
        }
        if (!complete) {
            unread.add(element.attribute("href"));
        }
        return elements;
    }

    /** Returns what stands for the root of a file; empty if the file cannot be read, or includes itself. */
    private Optional<List<XmlElement>> read(Path file, int depth) {
        long length = file.toFile().length();
        boolean isTooDeep = reading.contains(file) || reading.size() > DEEPEST;
        if (isTooDeep || length > MOST_BYTES || excess != null) {
            return Optional.empty();
        }
        files++;
        bytes += length;
        excess = files > MOST_FILES || bytes > MOST_BYTES_IN_ALL ? file : null;
        reading.push(file);
        try {
            return Optional.of(
                    seen(XmlElement.parse(Files.readString(file), file.toString(), depth, this::seen), depth));
        } catch (IOException | UnusableInstanceException e) {
            return Optional.empty();
        } finally {
            reading.pop();
        }
    }

    /**
     * Returns the files that are there and may be meant. In broker.xml a name is relative to the folder in which the
     * broker starts, which is unknown. In an included file it is relative to the folder of that file.
     */
    private List<Path> files(XmlElement include) {
        Stream<Path> folders = include.file().equals(Instance.BROKER_XML)
                ? Stream.of(instance.path(""), instance.path("etc"), instance.path("bin"), Path.of(""))
                : Stream.of(Path.of(include.file()).resolveSibling(""));
        try {
            Optional<Path> path = instance.replaced(include.attribute("href"))
                    .map(name -> name.startsWith("file:") ? Path.of(URI.create(name)) : Path.of(name));
            return folders.flatMap(folder -> path.map(folder::resolve).stream())
                    .map(file -> file.toAbsolutePath().normalize())
                    .filter(Files::isRegularFile)
                    .distinct()
                    .toList();
        } catch (IllegalArgumentException e) { // neither a path nor the URI of a file
            return List.of();
        }
    }

    /** Returns the names of included files that are absent, or not readable here. */
    List<String> unread() {
        return unread;
    }

    /** Returns the elements of a list as Artemis takes them, in order: those of the first list of this name. */
    private List<XmlElement> of(String list, String element) {
        return root.allWithin(list).stream()
                .limit(1)
                .flatMap(first -> first.allWithin(element).stream())
                .toList();
    }

    /** Returns the included file that has the first list of this name. */
    Optional<String> included(String list) {
        return root.allWithin(list).stream()
                .limit(1)
                .map(XmlElement::file)
                .filter(file -> !file.equals(Instance.BROKER_XML))
                .findFirst();
    }

    /** Returns the plugins that Artemis loads. */
    List<XmlElement> plugins() {
        return of(BrokerXml.PLUGINS, BrokerXml.PLUGIN);
    }

    /** Returns the settings of security that Artemis takes. */
    List<XmlElement> securitySettings() {
        return of(Roles.SETTINGS, Roles.SETTING);
    }

    /** Returns the address settings that Artemis takes. */
    List<XmlElement> addressSettings() {
        return of(DeadLetterSettings.SETTINGS, DeadLetterSettings.SETTING);
    }

    /** Returns the included file that lists plugins, or else the one with the entry of Signet. */
    Optional<String> includedPlugins() {
        Stream<XmlElement> lists = root.allWithin(BrokerXml.PLUGINS).stream();
        return Stream.concat(lists, plugins().stream().filter(BrokerXml::isSignet))
                .map(XmlElement::file)
                .filter(file -> !file.equals(Instance.BROKER_XML))
                .findFirst();
    }

    /** Returns the address where the broker takes management messages. */
    String managementAddress() {
        return value("management-address").orElse("activemq.management");
    }

    /** Whether Artemis checks each call of the management by the settings of security. */
    boolean isManagementMessageRbac() {
        return value("management-message-rbac").filter("true"::equals).isPresent();
    }

    private Optional<String> value(String name) {
        return root.allWithin(name).stream()
                .map(element -> element.text().strip())
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    /** Returns the wildcards of the first list, which Artemis takes; empty if they are invalid. */
    Optional<WildcardSyntax> wildcards() {
        WildcardSyntax defaults = WildcardSyntax.DEFAULT;
        try {
            return Optional.of(new WildcardSyntax(
                    wildcard("delimiter", defaults.delimiter()),
                    wildcard("any-words", defaults.anyWords()),
                    wildcard("single-word", defaults.singleWord())));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the wildcards of the broker; those of Artemis if its own cannot be used. */
    WildcardSyntax syntax() {
        return wildcards().orElse(WildcardSyntax.DEFAULT);
    }

    /** Returns the first character of an element of the first list, as Artemis takes it. */
    private char wildcard(String name, char otherwise) {
        String text = root.allWithin("wildcard-addresses").stream()
                .limit(1)
                .flatMap(list -> list.first(name).stream())
                .map(element -> element.text().strip())
                .collect(Collectors.joining());
        return text.isEmpty() ? otherwise : text.charAt(0);
    }
}
