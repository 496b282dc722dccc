/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.nio.charset.StandardCharsets;

/** The names of the entity's header lines, as they are written. */
final class HeaderName {
    static final String CONTENT_TYPE = "Content-Type";
    static final String TRANSFER_ENCODING = "Content-Transfer-Encoding";
    static final String MESSAGE_ID = "Message-ID";
    static final String VERSION = "Signet-Version";
    static final String ADDRESS = "Signet-Address";
    static final String BODY = "Signet-Body";
    static final String ENCODING = "Signet-Encoding";
    static final String SENDER = "Signet-Sender";
    static final String POLICY = "Signet-Policy";
    static final String SEGMENT = "Signet-Segment";
    static final String PROPERTY_PREFIX = "Signet-Property-";
    /** Of all names that are ours. */
    static final String OUR_PREFIX = "Signet-";

    /** A header is at most so long, the blank line included. */
    static final int MOST_HEADER_BYTES = 16 * 1024;

    private HeaderName() {}

    /** Whether this may stand behind {@link #PROPERTY_PREFIX}. */
    static boolean isPropertyName(String name) {
        return !name.isEmpty()
                && name.chars()
                        .allMatch(c ->
                                (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-');
    }

    /** {@code NAME: } as bytes. */
    static byte[] start(String name) {
        return (name + ": ").getBytes(StandardCharsets.US_ASCII);
    }
}
