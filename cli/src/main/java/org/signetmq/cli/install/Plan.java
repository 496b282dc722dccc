/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.signetmq.keystore.file.OwnedFolder;
import org.signetmq.policy.WildcardSyntax;

/** What installing or uninstalling will do; nothing has been done yet. */
public final class Plan {
    private final Instance instance;
    private final List<FileChange> changes = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private PluginProperties properties = new PluginProperties(Optional.empty(), Optional.empty(), Optional.empty());

    private Optional<WildcardSyntax> wildcards = Optional.empty();

    Plan(Instance instance) {
        this.instance = instance;
    }

    void change(FileChange change) {
        changes.add(change);
    }

    void warn(String warning) {
        warnings.add(warning);
    }

    void brokerWillHave(PluginProperties known) {
        properties = known;
    }

    void brokerHas(Optional<WildcardSyntax> known) {
        wildcards = known;
    }

    /** The wildcards of broker.xml, as far as they are known here. */
    public Optional<WildcardSyntax> wildcards() {
        return wildcards;
    }

    /** What the plugin's entry says once it is done, as far as it is known here. */
    public PluginProperties properties() {
        return properties;
    }

    /** Whether it makes or changes this file. */
    public boolean writes(Path file) {
        return changes.stream()
                .anyMatch(change -> change.after().isPresent()
                        && instance.path(change.name()).equals(file));
    }

    /** Whether all is as it should be already. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** One line for each changed file: what was done, once it was. */
    public List<String> summary() {
        return changes.stream().map(FileChange::summary).toList();
    }

    /** What the administrator should know. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** One line for each file that would change, with the lines of text files, as {@code diff -u} shows them. */
    public List<String> details() {
        List<String> lines = new ArrayList<>();
        for (FileChange change : changes) {
            lines.add(change.intention());
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

    /** Does it, file by file; a file is changed whole or not at all. */
    public void carryOut() throws IOException {
        Set<PosixFilePermission> likeBrokerXml = instance.permissions(Instance.BROKER_XML);
        for (FileChange change : changes) {
            try (OwnedFolder folder = instance.folderOf(change.name())) {
                new InstanceFile(folder, Instance.nameOf(change.name())).change(change, likeBrokerXml);
            }
        }
    }
}
