/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.util.List;

/** The sections of all commands, in the order of the document. */
final class Sections {
    /** The commands. Published experiments come first. */
    private static final List<String> KINDS =
            List.of("figure", "tls", "digest", "mailbox", "filesystem", "rr", "keys", "micro");

    private Sections() {}

    /**
     * Returns the section of a file.
     *
     * @throws IllegalArgumentException if no command that is reported wrote the file; the message names the file
     */
    static Section of(MeasuredFile file) {
        return switch (file.kind()) {
            case "figure", "tls" -> new StudySection(file);
            case "digest" -> new DigestSection(file);
            case "mailbox" -> new MailboxSection(file);
            case "filesystem" -> new FilesystemSection(file);
            case "rr" -> new RoundTripSection(file);
            case "keys" -> new KeysSection(file);
            case "micro" -> new MicroSection(file);
            default ->
                throw new IllegalArgumentException(file.name() + ": must come from signet perf "
                        + String.join(", ", KINDS) + ", found '" + file.command() + "'");
        };
    }

    /** Returns the place of a file in the document. */
    static String place(MeasuredFile file) {
        String study = file.rows().isEmpty() ? "" : file.rows().get(0).text("study");
        return KINDS.indexOf(file.kind()) + study;
    }
}
