/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import java.nio.charset.StandardCharsets;

/**
 * A check of a parser: the parser accepts one edit of a valid structure, and rejects a neighbour of this edit.
 *
 * @param message the whole message of the rejection; {@code %d} stands for the position of {@link Edit#MORE}
 */
record ParserCheck(String name, Edit accepted, Edit rejected, String message) {
    static final String UNEXPECTED_DATA = "envelope: unexpected data at byte %d";
    static final String UNEXPECTED_ELEMENT = "envelope: unexpected element at byte %d";
    static final String UNKNOWN_IDENTIFIER = "envelope: a recipient or signer has an unknown kind of identifier";

    static ParserCheck check(String name, Edit accepted, Edit rejected, String message) {
        return new ParserCheck(name, accepted, rejected, message);
    }

    /** A check that rejects bytes behind the last element of a part of the structure. */
    static ParserCheck endOf(String part, int... path) {
        return new ParserCheck("end of " + part, Edit.NONE, Edit.append(Edit.MORE, path), UNEXPECTED_DATA);
    }

    /** The message of the rejection of this encoding. */
    String message(byte[] rejectedEncoding) {
        String encoding = new String(rejectedEncoding, StandardCharsets.ISO_8859_1);
        return message.formatted(encoding.indexOf(new String(Edit.MORE, StandardCharsets.ISO_8859_1)));
    }

    /** The message of a rejection by {@link org.signetmq.envelope.internal.format.Limits}. */
    static String tooLong(String what, int most) {
        return "envelope: " + what + " of more than " + most + " bytes; docs/format.md lists the limits";
    }

    @Override
    public String toString() {
        return name;
    }
}
