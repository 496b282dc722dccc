/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.keystore.KeystoreUnusableException;

/** Splits PEM text (RFC 7468) into its blocks. It ignores text around them. */
final class PemBlocks {
    private static final int MOST_BLOCKS = 1000;
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    private PemBlocks() {}

    /** A block. */
    static final class Block {
        private final String label;
        private final Map<String, String> headers;
        private final byte[] content;

        Block(String label, Map<String, String> headers, byte[] content) {
            this.label = label;
            this.headers = Map.copyOf(headers);
            this.content = content;
        }

        /** Returns the text of its first line, such as {@code CERTIFICATE}. */
        String label() {
            return label;
        }

        /** Returns the headers of RFC 1421, such as {@code DEK-Info}. */
        Map<String, String> headers() {
            return headers;
        }

        /** Returns the decoded bytes, which the caller does not change. */
        byte[] content() {
            return content;
        }
    }

    static boolean isPem(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).contains(BEGIN);
    }

    /**
     * Returns the blocks in the order of the file.
     *
     * @param source the name of the file, for messages
     * @throws KeystoreUnusableException if a block has no end line or is not base 64
     */
    static List<Block> of(byte[] bytes, String source) {
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
            int end = text.indexOf(ending, dashes);
            if (end < 0) {
                throw new KeystoreUnusableException(source + ": the PEM block " + label + " has no end line");
            }
            if (blocks.size() >= MOST_BLOCKS) {
                throw new KeystoreUnusableException(source + ": more than " + MOST_BLOCKS + " PEM blocks");
            }
            blocks.add(block(label, text.substring(dashes + DASHES.length(), end), source));
            begin = text.indexOf(BEGIN, end + ending.length());
        }
        return List.copyOf(blocks);
    }

    private static Block block(String label, String body, String source) {
        Map<String, String> headers = new LinkedHashMap<>();
        StringBuilder base64 = new StringBuilder();
        body.lines().map(String::strip).forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
            } else {
                base64.append(line);
            }
        });
        try {
            return new Block(label, headers, Base64.getDecoder().decode(base64.toString()));
        } catch (IllegalArgumentException e) {
            throw new KeystoreUnusableException(source + ": the PEM block " + label + " is not base 64", e);
        }
    }
}
