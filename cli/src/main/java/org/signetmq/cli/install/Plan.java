/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarInputStream;
import org.signetmq.cli.install.Instance.UnusableInstanceException;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.policy.WildcardSyntax;

/**
 * The changes of files that installing or uninstalling will make; none is made yet.
 *
 * @param changes in their order
 * @param warnings advice for the administrator
 * @param properties of the plugin's entry after the changes
 * @param wildcards those of broker.xml, as far as they are known here
 * @param former the properties of the plugin's entry before the changes; empty if there was none
 */
public record Plan(
        Instance instance,
        List<Change> changes,
        List<String> warnings,
        Map<String, String> properties,
        Optional<WildcardSyntax> wildcards,
        Optional<Map<String, String>> former) {
    /** The content of a file before and after; empty where the file is absent. */
    record Change(String file, Optional<byte[]> before, Optional<byte[]> after) {
        private boolean isJar() {
            return file.startsWith("lib/") || file.equals(Instance.CONSOLE_WAR);
        }

        private boolean isSecret() {
            return file.equals(Instance.PASSWORD);
        }

        /** Returns the participle for the change. */
        private String participle() {
            if (after.isEmpty()) {
                return "removed";
            }
            if (!isJar()) {
                return before.isEmpty() ? "written" : "edited";
            }
            Optional<String> version = version(after.get());
            if (before.isEmpty()) {
                return "added" + version.map(", version "::concat).orElse("");
            }
            Optional<String> former = version(before.get());
            return former.isEmpty() && version.isEmpty()
                    ? "replaced"
                    : "replaced, version " + former.orElse("unknown") + " by " + version.orElse("unknown");
        }

        /** Returns the version in a jar's manifest. */
        private static Optional<String> version(byte[] content) {
            try (JarInputStream jar = new JarInputStream(new ByteArrayInputStream(content))) {
                return Optional.ofNullable(jar.getManifest())
                        .map(manifest -> manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION));
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }

    /** Returns a property of the plugin's entry after the changes; empty if only the broker's environment has it. */
    public Optional<String> property(String name) {
        return Optional.ofNullable(properties.get(name)).flatMap(instance::replaced);
    }

    /** Returns an absolute path only: the folder in which the broker is started is unknown. */
    public Optional<Path> path(String property) {
        return absolute(property(property));
    }

    /** Returns the path that a property had before the changes. */
    public Optional<Path> formerPath(String property) {
        return absolute(former.map(properties -> properties.get(property)).flatMap(instance::replaced));
    }

    /** Whether the instance had no entry of the plugin before. */
    public boolean isFirst() {
        return former.isEmpty();
    }

    private static Optional<Path> absolute(Optional<String> path) {
        try {
            return path.map(Path::of).filter(Path::isAbsolute);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Whether this file will be made or changed. */
    public boolean writes(Path file) {
        return changes.stream()
                .filter(change -> change.after().isPresent())
                .anyMatch(change -> instance.path(change.file()).equals(file));
    }

    /** Whether all is as it should be already. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Returns one line for each file, for the time after the changes. */
    public List<String> summary() {
        return changes.stream()
                .map(change -> change.file() + ": " + change.participle())
                .toList();
    }

    /** Returns one line for each file, for the time before the changes, with the lines of text files that differ. */
    public List<String> details() {
        List<String> lines = new ArrayList<>();
        for (Change change : changes) {
            String file = change.file();
            lines.add(file + ": would be " + change.participle());
            if (change.before().isPresent() && change.after().isPresent() && !change.isJar() && !change.isSecret()) {
                lines.addAll(List.of("--- " + file, "+++ " + file));
                lines.addAll(LineDiff.of(
                        new String(change.before().get(), StandardCharsets.UTF_8),
                        new String(change.after().get(), StandardCharsets.UTF_8)));
            }
        }
        return lines;
    }

    /**
     * Makes the changes, file by file. The broker sees each file as it was, or as it will be.
     *
     * @throws UnusableInstanceException at a file that is not as it was when the change was planned
     */
    public void carryOut() throws IOException {
        Set<PosixFilePermission> likeBrokerXml =
                instance.file(Instance.BROKER_XML).permissionsOr(WholeFile.READABLE);
        for (Change change : changes) {
            WholeFile file = instance.file(change.file());
            UnusableInstanceException.unless(
                    Arrays.equals(
                            file.read(Instance.MOST_BYTES).orElse(null),
                            change.before().orElse(null)),
                    change.file() + ": changed meanwhile; run the command again");
            if (change.after().isPresent()) {
                WholeFile.makeFolder(file.path().resolveSibling("")); // the one of the page may be missing
                file.write(
                        change.after().get(),
                        change.isSecret() ? WholeFile.PRIVATE : file.permissionsOr(likeBrokerXml));
                continue;
            }
            file.delete();
            if (change.file().equals(Instance.CONSOLE_WAR)) {
                instance.removeEmptyFolderOfPage();
            }
        }
    }

    /** The lines that differ between two texts. */
    static final class LineDiff {
        private LineDiff() {}

        /** Removed lines after a minus, added ones after a plus; before each stretch its line number. */
        static List<String> of(String textBefore, String textAfter) {
            List<String> before = textBefore.lines().toList();
            List<String> after = textAfter.lines().toList();
            int[][] common = common(before, after);
            List<String> lines = new ArrayList<>();
            boolean differing = false;
            int i = 0;
            int j = 0;
            while (i < before.size() || j < after.size()) {
                if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
                    differing = false;
                    i++;
                    j++;
                    continue;
                }
                if (!differing) {
                    lines.add("@@ line " + (i + 1) + " @@");
                    differing = true;
                }
                if (i < before.size() && (j == after.size() || common[i + 1][j] >= common[i][j + 1])) {
                    lines.add("-" + before.get(i++));
                } else {
                    lines.add("+" + after.get(j++));
                }
            }
            return lines;
        }

        /** For each pair of places, how many lines from there on both have in common, in order. */
        private static int[][] common(List<String> before, List<String> after) {
            int[][] common = new int[before.size() + 1][after.size() + 1];
            for (int i = before.size() - 1; i >= 0; i--) {
                for (int j = after.size() - 1; j >= 0; j--) {
                    common[i][j] = before.get(i).equals(after.get(j))
                            ? common[i + 1][j + 1] + 1
                            : Math.max(common[i + 1][j], common[i][j + 1]);
                }
            }
            return common;
        }
    }
}
