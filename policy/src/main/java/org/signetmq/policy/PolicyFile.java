/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes policies as a JSON file in UTF-8; see {@code docs/policies.schema.json}. Thread-safe. */
public final class PolicyFile {
    private PolicyFile() {}

    /**
     * Reads a set from a file.
     *
     * @throws IOException if the file cannot be read
     * @throws InvalidPolicyException if it is not a policy document or a policy cannot work; the exception lists all
     *     problems
     */
    public static PolicySet read(Path file, PartyValidator known) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(JsonText.LONGEST + 1);
        }
        if (bytes.length > JsonText.LONGEST) {
            throw JsonText.invalid("longer than " + JsonText.LONGEST + " bytes; name fewer policies");
        }
        try {
            return parse(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString(),
                    known);
        } catch (CharacterCodingException e) {
            throw JsonText.invalid("bytes that are not UTF-8; save the file as UTF-8");
        }
    }

    /** Reads a set from text, as {@link #read} does from a file. */
    public static PolicySet parse(String json, PartyValidator known) {
        return DocumentReader.read(JsonText.parse(json), known);
    }

    /**
     * Reads one policy from the fields of a document, and adds it to a set. Numbers may be text, as on a command line.
     *
     * @param fields as in the document: texts, numbers, lists of texts, and {@code Map.of("until", ...)} to tolerate
     * @return the next version of the base, with the policy added or put in place of the one with the same pattern
     * @throws InvalidPolicyException if the policy cannot work; each problem has the name of its field as path
     */
    public static PolicySet parsePolicy(Map<String, ?> fields, PolicySet base, PartyValidator known) {
        JsonObject json = new JsonObject(JsonText.of(numbersAsNumbers(fields)), "");
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

    /** Returns the problems that {@link #parse} would find in these policies; an empty list for none. */
    public static List<PolicyProblem> problems(PolicySet policies, PartyValidator known) {
        try {
            DocumentReader.read(PolicyWriter.document(policies), known);
            return List.of();
        } catch (InvalidPolicyException e) {
            return e.problems();
        }
    }

    /** Returns the text that {@link #parse} reads back as an equal set. */
    public static String format(PolicySet policies) {
        return JsonText.format(PolicyWriter.document(policies));
    }

    /** Returns the text of one policy in a document. */
    public static String format(Policy policy) {
        return JsonText.format(PolicyWriter.policy(policy));
    }

    /**
     * Returns the content of a file that {@link #read} reads back as an equal set. The caller owns the array.
     *
     * @throws InvalidPolicyException if it would be longer than a file may be
     */
    public static byte[] bytes(PolicySet policies) {
        byte[] content = format(policies).getBytes(StandardCharsets.UTF_8);
        if (content.length > JsonText.LONGEST) {
            throw JsonText.invalid(
                    "longer than " + JsonText.LONGEST + " bytes, and could not be read back; name fewer policies");
        }
        return content;
    }

    /**
     * Replaces the whole file. A reader sees the old or the new text, never a part.
     *
     * @throws IOException if the file cannot be written, or is a link
     */
    public static void write(Path file, PolicySet policies) throws IOException {
        AtomicFile.write(file, bytes(policies));
    }
}
