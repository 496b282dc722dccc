/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;

/**
 * Reads policies from a JSON document in UTF-8, and formats them; see {@code docs/policies.schema.json}. Thread-safe.
 */
public final class PolicyFile {
    /** The longest document, in bytes of a file or characters of a text: 48 MiB. */
    public static final int LONGEST = DocumentLimits.LONGEST;

    /** The longest certificate of a set, in characters of base64. */
    public static final int LONGEST_CERTIFICATE = DocumentLimits.LONGEST_CERTIFICATE;

    private PolicyFile() {}

    /**
     * Reads a set from a file.
     *
     * @throws IOException if the file cannot be read
     * @throws InvalidPolicyException if it is not a policy document or a policy cannot work; the exception lists all
     *     problems
     */
    public static PolicySet read(Path file, PartyValidator known) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return parse(in.readNBytes(DocumentLimits.LONGEST + 1), known);
        }
    }

    /** Reads a set from text, as {@link #read} does from a file. */
    public static PolicySet parse(String json, PartyValidator known) {
        return DocumentReader.read(json, known);
    }

    /** Reads a set from the content of a file, as {@link #read} does. The array must not change meanwhile. */
    public static PolicySet parse(byte[] content, PartyValidator known) {
        return DocumentReader.read(content, known);
    }

    /**
     * Reads one policy from the fields of a document, and adds it to a set. Numbers may be text, as on a command line.
     *
     * @param fields as in the document: texts, numbers, lists of texts, and {@code Map.of("until", ...)} to tolerate
     * @return the next version of the base, with the policy added or put in place of the one with the same pattern
     * @throws InvalidPolicyException if the policy cannot work; each problem has the name of its field as path
     */
    public static PolicySet parsePolicy(Map<String, ?> fields, PolicySet base, PartyValidator known) {
        JsonObject json = new JsonObject(JsonObject.MAPPER.valueToTree(numbersAsNumbers(fields)), "");
        return new PolicyReader(json, known, base.wildcards())
                .read()
                .map(base::with)
                .orElseThrow(() -> new InvalidPolicyException(json.problems()));
    }

    private static Map<String, ?> numbersAsNumbers(Map<String, ?> fields) {
        Map<String, Object> numbered = new LinkedHashMap<>(fields);
        for (String key : List.of(PolicyKeys.KEY_REUSE, PolicyKeys.MAX_BYTES)) {
            if (fields.get(key) instanceof String text && text.matches("[0-9]{1,18}")) {
                numbered.put(key, Long.valueOf(text));
            }
        }
        return numbered;
    }

    /**
     * Returns the problems that {@link #parse(String, PartyValidator)} would find in these policies; empty for none.
     */
    public static List<PolicyProblem> problems(PolicySet policies, PartyValidator known) {
        return DocumentReader.problems(policies, known);
    }

    /** Returns the text that {@link #parse(String, PartyValidator)} reads back as an equal set. */
    public static String format(PolicySet policies) {
        return PolicyWriter.format(policies);
    }

    /** Returns the text of one policy in a document. */
    public static String format(Policy policy) {
        return PolicyWriter.format(policy);
    }

    /**
     * Returns the content of a file that {@link #read} reads back as an equal set. The caller owns the array.
     *
     * @throws InvalidPolicyException if it would be longer than a file may be
     */
    public static byte[] bytes(PolicySet policies) {
        byte[] content = format(policies).getBytes(StandardCharsets.UTF_8);
        if (content.length > DocumentLimits.LONGEST) {
            throw JsonObject.invalid("longer than " + DocumentLimits.LONGEST
                    + " bytes, and could not be read back; name fewer policies");
        }
        return content;
    }
}
