/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.signetmq.keystore.KeystoreUnusableException;

/** Reads and writes PEM text (RFC 7468). Text around the blocks does not count, such as names or a byte order mark. */
public final class PemText {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private PemText() {}

    /**
     * A block.
     *
     * @param label the text of its first line, such as {@code CERTIFICATE}
     * @param lines what stands between its first and its last line: base 64, perhaps behind headers of RFC 1421
     * @param source the name of the file, for messages
     */
    public record Block(String label, String lines, String source) {
        /** Returns a block with this content. */
        public static Block of(String label, byte[] content, String source) {
            return new Block(label, LINES.encodeToString(content), source);
        }

        /** Tells whether the block has a private key, encrypted or not. */
        public boolean isPrivateKey() {
            return label.endsWith("PRIVATE KEY");
        }

        /**
         * Returns the decoded bytes.
         *
         * @throws KeystoreUnusableException if they are not base 64
         */
        public byte[] content() {
            String base64 = lines.lines()
                    .filter(line -> line.indexOf(':') < 0) // no header
                    .map(line -> line.replaceAll("\\s", ""))
                    .collect(Collectors.joining());
            try {
                return Base64.getDecoder().decode(base64);
            } catch (IllegalArgumentException e) {
                throw new KeystoreUnusableException(source + ": the PEM block " + label + " is not base 64", e);
            }
        }

        /** Returns the text of the block alone. */
        public String text() {
            return lines.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .collect(Collectors.joining(
                            "\n", BEGIN + label + DASHES + "\n", "\n" + END + label + DASHES + "\n"));
        }

        @Override
        public String toString() { // the lines may be a private key
            return "Block[" + label + ", " + source + "]";
        }
    }

    /** Returns one block of text with this content. */
    public static String of(String label, byte[] content) {
        return Block.of(label, content, "").text();
    }

    /** Tells whether the bytes have the beginning of a block. */
    public static boolean isPem(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).contains(BEGIN);
    }

    /**
     * Returns the blocks in the order of the file.
     *
     * @param source the name of the file, for messages
     * @param most the most blocks
     * @throws KeystoreUnusableException if a block has no label or no end line, or there are more
     */
    public static List<Block> blocks(byte[] bytes, String source, int most) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        List<Block> blocks = new ArrayList<>();
        int begin = text.indexOf(BEGIN);
        while (begin >= 0) {
            int dashes = text.indexOf(DASHES, begin + BEGIN.length());
            String label = dashes < 0 ? "" : text.substring(begin + BEGIN.length(), dashes);
            if (!label.matches("[A-Z0-9# ]{1,64}")) {
                throw new KeystoreUnusableException(source + ": a PEM block has no label");
            }
            String ending = END + label + DASHES;
            int end = text.indexOf(ending, dashes + DASHES.length());
            if (end < 0) {
                throw new KeystoreUnusableException(source + ": the PEM block " + label + " has no end line");
            }
            if (blocks.size() >= most) {
                throw new KeystoreUnusableException(source + ": more than " + most + " PEM blocks");
            }
            blocks.add(new Block(label, text.substring(dashes + DASHES.length(), end), source));
            begin = text.indexOf(BEGIN, end + ending.length());
        }
        return List.copyOf(blocks);
    }
}
