/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.format;

/** The names of the header lines of an entity. */
public final class HeaderName {
    public static final String CONTENT_TYPE = "Content-Type";
    public static final String TRANSFER_ENCODING = "Content-Transfer-Encoding";
    public static final String MESSAGE_ID = "Message-ID";
    public static final String VERSION = "Signet-Version";
    public static final String ADDRESS = "Signet-Address";
    public static final String BODY = "Signet-Body";
    public static final String ENCODING = "Signet-Encoding";
    public static final String SENDER = "Signet-Sender";
    public static final String POLICY = "Signet-Policy";
    public static final String SEGMENT = "Signet-Segment";
    public static final String PROPERTY_PREFIX = "Signet-Property-";
    /** The prefix of all names that Signet defines. */
    public static final String OUR_PREFIX = "Signet-";

    /** The first lines of every header, which make encryption commit to one key: {@code Commitment}. */
    public static final String COMMITTING_LINES = VERSION + ": 1\r\n" + TRANSFER_ENCODING + ": binary\r\n";

    /** The most bytes of a header, its blank line included. */
    public static final int MOST_HEADER_BYTES = 16 * 1024;

    private HeaderName() {}

    /** Tells whether a property may have this name, which follows {@link #PROPERTY_PREFIX}. */
    public static boolean isPropertyName(String name) {
        return !name.isEmpty()
                && name.chars()
                        .allMatch(c ->
                                (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-');
    }
}
