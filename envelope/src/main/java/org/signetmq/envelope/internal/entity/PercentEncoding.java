/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.signetmq.envelope.internal.format.Malformed;

/**
 * Encodes header values: printable ASCII unchanged, all else, {@code %} and outer blanks as {@code %XX} of UTF-8. So no
 * value can end its line. Each text has one encoding, and the decoder rejects any other.
 */
public final class PercentEncoding {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final String NOT_ENCODED = "entity: a header value is not percent-encoded as it should be";

    private PercentEncoding() {}

    /** Encodes a text. Lone surrogates become question marks. */
    public static String encode(String value) {
        if (isPlain(value)) {
            return value;
        }
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        StringBuilder encoded = new StringBuilder(utf8.length + 16);
        for (int i = 0; i < utf8.length; i++) {
            boolean inside = i > 0 && i < utf8.length - 1;
            if (isPlain(utf8[i]) && (utf8[i] != ' ' || inside)) {
                encoded.append((char) utf8[i]);
            } else {
                encoded.append('%').append(HEX.toHexDigits(utf8[i]));
            }
        }
        return encoded.toString();
    }

    /** Tells whether the encoding stands for this text. It does not if the text has lone surrogates. */
    @SuppressWarnings("ReferenceEquality") // a text without special characters is its own encoding
    static boolean isEncoding(String encoded, String value) {
        return encoded == value || decode(encoded).equals(value);
    }

    /** Decodes a header value, and rejects any other encoding of the same text. */
    public static String decode(String encoded) {
        if (isPlain(encoded)) {
            return encoded;
        }
        ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%') {
                boolean digits = i + 2 < encoded.length()
                        && HexFormat.isHexDigit(encoded.charAt(i + 1))
                        && HexFormat.isHexDigit(encoded.charAt(i + 2));
                Malformed.when(!digits, NOT_ENCODED);
                utf8.write(HexFormat.fromHexDigits(encoded, i + 1, i + 3));
                i += 2;
            } else {
                utf8.write(c);
            }
        }
        String value = utf8.toString(StandardCharsets.UTF_8);
        Malformed.when(!encode(value).equals(encoded), NOT_ENCODED); // this rejects bytes that are not UTF-8 too
        return value;
    }

    private static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (!isPlain(value.charAt(i))) {
                return false;
            }
        }
        return value.isEmpty() || (value.charAt(0) != ' ' && value.charAt(value.length() - 1) != ' ');
    }

    private static boolean isPlain(int c) {
        return c >= ' ' && c <= '~' && c != '%';
    }
}
