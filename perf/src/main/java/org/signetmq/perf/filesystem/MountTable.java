/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The file systems that this process sees.
 *
 * @param points where they are mounted, in the order of mounting
 */
record MountTable(List<Path> points) {
    private static final Path TABLE = Path.of("/proc/self/mounts");
    private static final int OCTAL = 8;
    /** The kernel writes a space as {@code \040}. */
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

    MountTable {
        points = List.copyOf(points);
    }

    static MountTable read() throws IOException {
        return of(Files.readAllLines(TABLE));
    }

    /** Reads the lines of a table: device, mount point, type and more. */
    static MountTable of(List<String> lines) {
        return new MountTable(lines.stream()
                .map(line -> line.split(" "))
                .filter(fields -> fields.length > 1)
                .map(fields -> Path.of(unescaped(fields[1])))
                .toList());
    }

    private static String unescaped(String field) {
        return ESCAPED.matcher(field)
                .replaceAll(match -> String.valueOf((char) Integer.parseInt(match.group(1), OCTAL))
                        .replace("\\", "\\\\"));
    }

    boolean has(Path point) {
        return points.contains(point);
    }

    /** Returns the mount points in a folder, in the order in which they can be unmounted. */
    List<Path> below(Path folder) {
        List<Path> below = new ArrayList<>(
                points.stream().filter(point -> point.startsWith(folder)).toList());
        Collections.reverse(below);
        return below;
    }
}
