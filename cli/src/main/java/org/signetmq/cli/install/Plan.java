/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.signetmq.keystore.file.OwnedFolder;
import org.signetmq.policy.WildcardSyntax;

/** The changes that installing or uninstalling will make; none is made yet. */
public final class Plan {
    private final Instance instance;
    private final List<FileChange> changes = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private PluginProperties properties = new PluginProperties(Optional.empty(), Optional.empty(), Optional.empty());
    private Optional<WildcardSyntax> wildcards = Optional.empty();

    Plan(Instance instance) {
        this.instance = instance;
    }

    /** Adds a change of a file to this content, unless it has it already. An empty one removes the file. */
    void change(String name, Optional<byte[]> after, FileChange.Kind kind) throws IOException {
        Optional<byte[]> before = instance.read(name);
        if (!Arrays.equals(before.orElse(null), after.orElse(null))) {
            changes.add(new FileChange(name, before, after, kind));
        }
    }

    void warn(String warning) {
        warnings.add(warning);
    }

    void brokerHas(PluginProperties knownProperties, Optional<WildcardSyntax> knownWildcards) {
        properties = knownProperties;
        wildcards = knownWildcards;
    }

    /** Returns the wildcards of broker.xml, as far as they are known here. */
    public Optional<WildcardSyntax> wildcards() {
        return wildcards;
    }

    /** Returns the properties of the plugin's entry after the changes, as far as they are known here. */
    public PluginProperties properties() {
        return properties;
    }

    /** Whether this file will be made or changed. */
    public boolean writes(Path file) {
        return changes.stream()
                .anyMatch(change -> change.after().isPresent()
                        && instance.path(change.name()).equals(file));
    }

    /** Whether all is as it should be already. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Returns one line for each file, for the time after the changes. */
    public List<String> summary() {
        return changes.stream()
                .map(change -> change.name() + ": " + change.participle())
                .toList();
    }

    /** Returns advice for the administrator. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Returns one line for each file, for the time before the changes, with the lines of text files that differ. */
    public List<String> details() {
        List<String> lines = new ArrayList<>();
        for (FileChange change : changes) {
            lines.add(change.name() + ": would be " + change.participle());
            if (change.kind() == FileChange.Kind.TEXT
                    && change.before().isPresent()
                    && change.after().isPresent()) {
                lines.add("--- " + change.name());
                lines.add("+++ " + change.name());
                lines.addAll(LineDiff.of(
                        new String(change.before().get(), StandardCharsets.UTF_8),
                        new String(change.after().get(), StandardCharsets.UTF_8)));
            }
        }
        return lines;
    }

    /** Makes the changes, file by file; each file is changed whole or not at all. */
    public void carryOut() throws IOException {
        Set<PosixFilePermission> likeBrokerXml;
        try (OwnedFolder etc = instance.folderOf(Instance.BROKER_XML)) {
            likeBrokerXml =
                    etc.permissions(FileChange.fileName(Instance.BROKER_XML)).orElse(OwnedFolder.READABLE);
        }
        for (FileChange change : changes) {
            try (OwnedFolder folder = instance.folderOf(change.name())) {
                change.carryOut(folder, likeBrokerXml);
            }
        }
    }
}
