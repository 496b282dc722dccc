/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An element that has the broker read another file in its place.
 *
 * @param href which one, as it is written
 */
record Include(String href) {
    private static final String HREF = "href";

    /** The include that an element is. Elements of Artemis with this name, of federations, name no file. */
    static Optional<Include> of(XmlElement element) {
        return element.name().equals("include")
                ? Optional.ofNullable(element.attributes().get(HREF)).map(Include::new)
                : Optional.empty();
    }

    /**
     * The files that are there and may be meant. In broker.xml a name is relative to the folder in which somebody
     * starts the broker, which nobody knows; in a file that it includes, to the folder of that file.
     */
    List<Path> files(Path instance, Path includer) {
        Optional<String> name = new StartProperties(instance).replacedIn(href);
        if (name.isEmpty()) {
            return List.of();
        }
        try {
            Path path = name.get().startsWith("file:") ? Path.of(URI.create(name.get())) : Path.of(name.get());
            return bases(instance, includer)
                    .map(folder -> folder.resolve(path).toAbsolutePath().normalize())
                    .filter(Files::isRegularFile)
                    .distinct()
                    .toList();
        } catch (InvalidPathException e) {
            return List.of();
        } catch (IllegalArgumentException e) { // no URI of a file
            return List.of();
        }
    }

    private static Stream<Path> bases(Path instance, Path includer) {
        Path parent = includer.getParent();
        return parent == null || includer.equals(instance.resolve(Instance.BROKER_XML))
                ? Stream.of(instance, instance.resolve("etc"), instance.resolve("bin"), Path.of(""))
                : Stream.of(parent);
    }
}
