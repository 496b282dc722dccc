/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.io.IOException;
import java.nio.file.Path;

/** Policies as a JSON file; see {@code docs/policies.schema.json}. */
public final class PolicyFile {
    private PolicyFile() {}

    /**
     * Reads a set.
     *
     * @throws IOException if the file cannot be read
     * @throws InvalidPolicyException if it is not a policy document or a policy cannot work: every problem at once
     */
    public static PolicySet read(Path file, KnownParties known) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** As {@link #read}, from text. */
    public static PolicySet parse(String json, KnownParties known) {
        throw new UnsupportedOperationException();
    }

    /** The text that {@link #parse} reads back as an equal set. */
    public static String format(PolicySet policies) {
        throw new UnsupportedOperationException();
    }

    /** Replaces the file whole: a reader sees the old or the new text, never a part. */
    public static void write(Path file, PolicySet policies) throws IOException {
        throw new UnsupportedOperationException();
    }
}
