/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.signetmq.policy.WildcardSyntax;

/** The elements of broker.xml and of the files that it includes, in the order in which the broker sees them. */
final class WholeConfiguration {
    private static final long MOST_BYTES = 16L << 20;

    /** The limit for all files together. Each counts as often as it is included. */
    private static final long MOST_BYTES_IN_ALL = 64L << 20;

    private static final int MOST_FILES = 1000;

    private final Instance instance;
    private final List<Part> parts = new ArrayList<>();
    private final List<String> unread = new ArrayList<>();
    private final Deque<Path> reading = new ArrayDeque<>();
    private int files;
    private long bytes;

    /** An element, its file, and the number of elements around it. */
    record Part(XmlElement element, Path file, int depth) {
        private boolean is(String name) {
            return element.name().equals(name);
        }
    }

    /** @throws UnusableInstanceException if the files are too many or too long */
    WholeConfiguration(Instance instance, XmlElement root) {
        this.instance = instance;
        reading.push(brokerXml());
        add(new Part(root, brokerXml(), 0));
    }

    private Path brokerXml() {
        return instance.path(Instance.BROKER_XML);
    }

    private void add(Part part) {
        // elements of federations have this name, too, and name no file
        if (part.is("include") && part.element().attributes().containsKey("href")) {
            include(part.element().attribute("href"), part);
        } else {
            parts.add(part);
            part.element().children().forEach(child -> add(new Part(child, part.file(), part.depth() + 1)));
        }
    }

    private void include(String href, Part part) {
        List<Path> named = files(href, part.file());
        if (named.isEmpty()) {
            unread.add(href);
        }
        for (Path file : named) {
            Optional<XmlElement> root = reading.contains(file) ? Optional.empty() : read(file);
            reading.push(file);
            root.ifPresentOrElse(element -> add(new Part(element, file, part.depth())), () -> unread.add(href));
            reading.pop();
        }
    }

    /** Reads a file; empty if it cannot be read. Files that include each other ten times grow by a power of ten. */
    private Optional<XmlElement> read(Path file) {
        long length = file.toFile().length();
        if (length > MOST_BYTES) {
            return Optional.empty();
        }
        files++;
        bytes += length;
        if (files > MOST_FILES || bytes > MOST_BYTES_IN_ALL) {
            throw new UnusableInstanceException("broker.xml includes more than " + MOST_FILES + " files or "
                    + (MOST_BYTES_IN_ALL >> 20) + " MiB, the last of them " + file + "; include each file once");
        }
        try {
            return Optional.of(XmlParser.parse(Files.readString(file, StandardCharsets.UTF_8), file.toString()));
        } catch (IOException | UnusableInstanceException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the files that are there and may be meant. In broker.xml a name is relative to the folder in which the
     * broker starts, which is unknown. In an included file it is relative to the folder of that file.
     */
    private List<Path> files(String href, Path includer) {
        try {
            Optional<String> name = instance.replaced(href);
            if (name.isEmpty()) {
                return List.of();
            }
            Path path = name.get().startsWith("file:") ? Path.of(URI.create(name.get())) : Path.of(name.get());
            Stream<Path> folders = includer.equals(brokerXml())
                    ? Stream.of(instance.path(""), instance.path("etc"), instance.path("bin"), Path.of(""))
                    : Stream.of(includer.resolveSibling(""));
            return folders.map(folder -> folder.resolve(path).toAbsolutePath().normalize())
                    .filter(Files::isRegularFile)
                    .distinct()
                    .toList();
        } catch (IllegalArgumentException e) { // neither a path nor the URI of a file
            return List.of();
        }
    }

    /** Returns the names of included files that are absent, or not readable here. */
    List<String> unread() {
        return List.copyOf(unread);
    }

    /** Returns the plugins that Artemis loads, in order: those of the first list. */
    List<Part> plugins() {
        List<Part> plugins = new ArrayList<>();
        int list = -1;
        for (Part part : parts) {
            if (list >= 0 && part.depth() <= list) {
                break;
            }
            if (list >= 0 && part.is(BrokerXml.PLUGIN)) {
                plugins.add(part);
            } else if (list < 0 && part.is(BrokerXml.PLUGINS)) {
                list = part.depth();
            }
        }
        return plugins;
    }

    /** Returns the wildcards of the first list, which Artemis takes; empty if they are invalid. */
    Optional<WildcardSyntax> wildcards() {
        Optional<XmlElement> list = parts.stream()
                .filter(part -> part.is("wildcard-addresses"))
                .map(Part::element)
                .findFirst();
        WildcardSyntax defaults = WildcardSyntax.DEFAULT;
        char delimiter = character(list, "delimiter", defaults.delimiter());
        char anyWords = character(list, "any-words", defaults.anyWords());
        char singleWord = character(list, "single-word", defaults.singleWord());
        return WildcardSyntax.problemWith(delimiter, anyWords, singleWord).isEmpty()
                ? Optional.of(new WildcardSyntax(delimiter, anyWords, singleWord))
                : Optional.empty();
    }

    /** Returns the first character of an element of the list, as Artemis takes it. */
    private static char character(Optional<XmlElement> list, String name, char otherwise) {
        String text = list.flatMap(element -> element.first(name))
                .map(element -> element.text().strip())
                .orElse("");
        return text.isEmpty() ? otherwise : text.charAt(0);
    }

    /** Returns the included file that lists plugins, or else the one with the entry of Signet. */
    Optional<Path> includedPlugins() {
        Stream<Part> lists = parts.stream().filter(part -> part.is(BrokerXml.PLUGINS));
        Stream<Part> entries = plugins().stream().filter(part -> BrokerXml.isSignet(part.element()));
        return Stream.concat(lists, entries)
                .map(Part::file)
                .filter(file -> !file.equals(brokerXml()))
                .findFirst();
    }
}
