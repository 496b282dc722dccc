/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.signetmq.keystore.file.StagedFile;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.keys.CryptoProviders;

/**
 * The file that remembers the policies of a broker outside of the broker's data: their version and digest, and whether
 * an officer had to sign them. So the broker notices that its stored policies are lost, older or changed. Not
 * thread-safe.
 *
 * @param folder the folder of the file; it must exist
 */
public record PolicyMark(Path folder) {
    /** The name of the file. */
    public static final String NAME = "policies.mark";

    private static final int MOST_BYTES = 1 << 16;
    private static final Pattern LINES =
            Pattern.compile("version ([0-9]{1,19})\nsha256 ([0-9a-f]{64})\n(officer\n)?check [0-9a-f]{64}\n");

    /**
     * The content of a mark.
     *
     * @param version the version of the stored policies
     * @param digest the SHA-256 digest of their document, in lower-case hexadecimal digits
     * @param officer whether an officer had to sign them
     */
    public record Content(long version, String digest, boolean officer) {
        /** The content for a store that never held policies. */
        public static final Content NEW = of(0, "");

        /** Returns the content for policies with this version and document. */
        public static Content of(long version, String document) {
            return new Content(version, sha256(document), false);
        }

        /** Returns this content for policies that an officer must sign, or need not. */
        public Content officer(boolean required) {
            return new Content(version, digest, required);
        }

        /** Tells whether this is the mark of the same policies, whoever had to sign them. */
        public boolean isOf(Content other) {
            return version == other.version && digest.equals(other.digest);
        }

        private String text() {
            String lines = "version " + version + "\nsha256 " + digest + "\n" + (officer ? "officer\n" : "");
            return lines + "check " + sha256(lines) + "\n";
        }
    }

    /** A new mark that is on the disk and does not have its name yet. */
    public record Draft(PolicyMark mark, StagedFile staged) implements Closeable {
        /** Puts the new mark in place of the former one. */
        public void publish() throws IOException {
            try {
                staged.replace(mark.permissions());
            } catch (IOException e) {
                throw mark.unwritten(e);
            }
        }

        /** Deletes the file if it did not get its name. If that fails, a file with a random name stays. */
        @Override
        public void close() {
            try {
                staged.close();
            } catch (IOException left) {
                // a mark is in force, or none was wanted
            }
        }
    }

    /** Returns the path of the file. */
    public Path file() {
        return folder.resolve(NAME);
    }

    /**
     * Reads the mark; empty if there is none.
     *
     * @throws IOException if the mark cannot be read or is damaged, or its folder is absent
     */
    public Optional<Content> read() throws IOException {
        Optional<byte[]> bytes;
        try {
            if (!Files.isDirectory(folder)) {
                throw new NoSuchFileException(folder.toString()); // the mark may be there when the folder comes back
            }
            bytes = new WholeFile(file()).read(MOST_BYTES);
        } catch (IOException e) {
            throw new IOException(file() + ": cannot be read: " + reason(e), e);
        }
        return bytes.isEmpty() ? Optional.empty() : Optional.of(parse(bytes.get()));
    }

    private Content parse(byte[] bytes) throws IOException {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        Matcher lines = LINES.matcher(text);
        if (lines.matches()) {
            try {
                Content content = new Content(Long.parseLong(lines.group(1)), lines.group(2), lines.group(3) != null);
                if (content.text().equals(text)) {
                    return content;
                }
            } catch (NumberFormatException tooLarge) {
                // damaged
            }
        }
        throw new IOException(file() + ": is damaged");
    }

    /**
     * Writes a new mark to the disk. It takes effect when it is published. If there is no mark, this method first
     * writes that of a new store, so that an interrupted first change is no loss.
     *
     * @throws IOException if it cannot be written, or if the mark is damaged or has later policies
     */
    public Draft draft(Content next) throws IOException {
        Optional<Content> now = read();
        if (now.isEmpty()) {
            replace(Content.NEW);
        } else if (now.get().version() >= next.version()
                && !now.get().equals(next)
                && !now.get().equals(Content.NEW)) {
            throw new IOException(file() + ": has version " + now.get().version()
                    + ", so another broker uses it; name a folder for this broker in its property policy-mark");
        }
        return draftOverAny(next);
    }

    /** Writes a mark to the disk as {@link #draft} does, in place of any other one. */
    public Draft draftOverAny(Content next) throws IOException {
        try {
            permissions(); // a link or a folder is found before anything changes
            Draft draft = new Draft(this, new WholeFile(file()).draft());
            try {
                draft.staged.write(next.text().getBytes(StandardCharsets.ISO_8859_1));
                return draft;
            } catch (IOException e) {
                draft.close();
                throw e;
            }
        } catch (IOException e) {
            throw unwritten(e);
        }
    }

    /** Puts a mark in place of any other one. */
    public void replace(Content next) throws IOException {
        try (Draft draft = draftOverAny(next)) {
            draft.publish();
        }
    }

    private Set<PosixFilePermission> permissions() throws IOException {
        return new WholeFile(file()).permissionsOr(WholeFile.READABLE);
    }

    private IOException unwritten(IOException e) {
        return new IOException(
                file() + ": the mark of the policies cannot be written: " + reason(e)
                        + "; the property policy-mark may name another folder",
                e);
    }

    private static String reason(IOException e) {
        return e instanceof FileSystemException || e.getMessage() == null
                ? e.getClass().getSimpleName()
                : e.getMessage();
    }

    private static String sha256(String text) {
        return HexFormat.of().formatHex(CryptoProviders.sha256(text.getBytes(StandardCharsets.UTF_8)));
    }
}
