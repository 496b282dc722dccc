/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.signetmq.policy.WildcardSyntax;

/** The elements of broker.xml and of the files that it includes, in the order in which the broker sees them. */
final class WholeConfiguration {
    private static final long MOST_BYTES = 16L << 20;

    /** What the files of an instance may come to, each counted as often as it is included. */
    private static final long MOST_BYTES_IN_ALL = 64L << 20;

    private static final int MOST_FILES = 1000;

    private final Path instance;
    private final List<Part> parts = new ArrayList<>();
    private final List<String> unread = new ArrayList<>();
    private final Deque<Path> reading = new ArrayDeque<>();
    private int files;
    private long bytes;

    /** An element, the file that it stands in, and how many elements are around it. */
    private record Part(XmlElement element, Path file, int depth) {}

    private WholeConfiguration(Path instance) {
        this.instance = instance;
    }

    static WholeConfiguration of(Path instance, XmlElement root) {
        WholeConfiguration whole = new WholeConfiguration(instance);
        Path brokerXml = instance.resolve(Instance.BROKER_XML);
        whole.reading.push(brokerXml);
        whole.add(new Part(root, brokerXml, 0));
        return whole;
    }

    private void add(Part part) {
        Optional<Include> include = Include.of(part.element());
        if (include.isPresent()) {
            include(include.get(), part);
            return;
        }
        parts.add(part);
        part.element().children().forEach(child -> add(new Part(child, part.file(), part.depth() + 1)));
    }

    private void include(Include include, Part part) {
        List<Path> files = include.files(instance, part.file());
        if (files.isEmpty()) {
            unread.add(include.href());
        }
        for (Path file : files) {
            if (reading.contains(file) || isTooLong(file)) {
                unread.add(include.href());
                continue;
            }
            reading.push(file);
            try {
                count(file);
                String text = Files.readString(file, StandardCharsets.UTF_8);
                add(new Part(XmlText.root(text, file.toString()), file, part.depth()));
            } catch (TooMuchIncludedException e) {
                throw e;
            } catch (IOException | UnusableInstanceException e) {
                unread.add(include.href());
            }
            reading.pop();
        }
    }

    /** Files that include each other ten times grow by a power of ten. */
    private void count(Path file) throws IOException {
        files++;
        bytes += Files.size(file);
        if (files > MOST_FILES || bytes > MOST_BYTES_IN_ALL) {
            throw new TooMuchIncludedException("broker.xml includes more than " + MOST_FILES + " files or "
                    + (MOST_BYTES_IN_ALL >> 20) + " MiB, the last of them " + file + "; include each file once");
        }
    }

    /** Told as it is, and not as a file that cannot be read. */
    private static final class TooMuchIncludedException extends UnusableInstanceException {
        private static final long serialVersionUID = 1L;

        TooMuchIncludedException(String message) {
            super(message);
        }
    }

    private static boolean isTooLong(Path file) {
        try {
            return Files.size(file) > MOST_BYTES;
        } catch (IOException e) {
            return true;
        }
    }

    /** What includes name that is not there, or not readable here. */
    List<String> unread() {
        return List.copyOf(unread);
    }

    /** The plugins that Artemis loads, in order: those of the first list. */
    List<PluginEntry> plugins() {
        List<PluginEntry> plugins = new ArrayList<>();
        int list = -1;
        for (Part part : parts) {
            if (list >= 0 && part.depth() <= list) {
                break;
            }
            if (list >= 0 && part.element().name().equals(BrokerXml.PLUGIN)) {
                plugins.add(new PluginEntry(part.element(), part.file()));
            } else if (list < 0 && part.element().name().equals(BrokerXml.PLUGINS)) {
                list = part.depth();
            }
        }
        return plugins;
    }

    /** The wildcards of the first list, which is the one that Artemis takes; empty if they cannot be. */
    Optional<WildcardSyntax> wildcards() throws IOException {
        Optional<Part> list = parts.stream()
                .filter(part -> part.element().name().equals("wildcard-addresses"))
                .findFirst();
        char delimiter = character(list, "delimiter", WildcardSyntax.DEFAULT.delimiter());
        char anyWords = character(list, "any-words", WildcardSyntax.DEFAULT.anyWords());
        char singleWord = character(list, "single-word", WildcardSyntax.DEFAULT.singleWord());
        return WildcardSyntax.problemWith(delimiter, anyWords, singleWord).isEmpty()
                ? Optional.of(new WildcardSyntax(delimiter, anyWords, singleWord))
                : Optional.empty();
    }

    /** The first character of an element of the list, as Artemis takes it. */
    private static char character(Optional<Part> list, String name, char otherwise) throws IOException {
        Optional<XmlElement> element = list.flatMap(part -> part.element().first(name));
        if (element.isEmpty()) {
            return otherwise;
        }
        String file = Files.readString(list.get().file(), StandardCharsets.UTF_8);
        String text = XmlText.unescape(element.get().content(file)).strip();
        return text.isEmpty() ? otherwise : text.charAt(0);
    }

    /** The included file that lists plugins, if one does. */
    Optional<Path> includedPlugins() {
        return parts.stream()
                .filter(part -> part.element().name().equals(BrokerXml.PLUGINS))
                .map(Part::file)
                .filter(this::isIncluded)
                .findFirst();
    }

    /** Our entry, if it stands in an included file. */
    Optional<PluginEntry> ourIncludedEntry() {
        return plugins().stream()
                .filter(entry -> entry.isOurs() && isIncluded(entry.file()))
                .findFirst();
    }

    private boolean isIncluded(Path file) {
        return !file.equals(instance.resolve(Instance.BROKER_XML));
    }
}
