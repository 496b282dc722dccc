/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;

/** Reads and writes policies as a JSON file in UTF-8; see {@code docs/policies.schema.json}. Thread-safe. */
public final class PolicyFile {
    /** The longest document, in bytes of a file or characters of a text: 48 MiB. */
    public static final int LONGEST = DocumentLimits.LONGEST;

    /** The permissions of a new file. Policies are no secret, and the broker may run as another user. */
    private static final Set<PosixFilePermission> NEW_FILE = PosixFilePermissions.fromString("rw-r--r--");

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

    /**
     * Replaces the whole file: writes a temporary file beside it, forces that to disk, and renames it. A reader sees
     * the old or the new text, never a part.
     *
     * @throws IOException if the file cannot be written, or is a link
     */
    public static void write(Path file, PolicySet policies) throws IOException {
        byte[] content = bytes(policies);
        Path target = file.toAbsolutePath();
        if (Files.isSymbolicLink(target)) {
            throw new IOException(file + ": a link, which is not followed; name the file that it leads to");
        }
        Path folder = target.resolveSibling("");
        Path beside = Files.createTempFile(folder, ".policies-", ".tmp");
        try {
            writeAndForce(beside, content);
            permit(beside, target);
            Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
        forceFolder(folder);
    }

    private static void writeAndForce(Path file, byte[] content) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
    }

    private static void permit(Path beside, Path target) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(beside, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(Files.exists(target) ? Files.getPosixFilePermissions(target) : NEW_FILE);
        }
    }

    /** Makes the rename survive a loss of power. */
    @SuppressWarnings("EmptyCatch") // some systems cannot open a folder; the file is replaced all the same
    private static void forceFolder(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException expected) {
            // the rename reaches the disk later
        }
    }
}
