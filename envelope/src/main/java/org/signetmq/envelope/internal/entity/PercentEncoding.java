/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.entity;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/**
 * Encodes header values: printable ASCII unchanged, all else, {@code %} and outer blanks as {@code %XX} of UTF-8. So no
 * value can end its line. Each text has one encoding, and the decoder rejects any other.
 */
public final class PercentEncoding {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

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

    /** Decodes a header value, and rejects any other encoding of the same text. */
    public static String decode(String encoded) {
        if (isPlain(encoded)) {
            return encoded;
        }
        ByteBuffer utf8 = ByteBuffer.allocate(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c != '%') {
                utf8.put((byte) c);
            } else {
                if (i + 2 >= encoded.length()
                        || !HexFormat.isHexDigit(encoded.charAt(i + 1))
                        || !HexFormat.isHexDigit(encoded.charAt(i + 2))) {
                    throw notEncoded();
                }
                utf8.put((byte) HexFormat.fromHexDigits(encoded, i + 1, i + 3));
                i += 2;
            }
        }
        try {
            String value =
                    StandardCharsets.UTF_8.newDecoder().decode(utf8.flip()).toString();
            if (encode(value).equals(encoded)) {
                return value;
            }
        } catch (CharacterCodingException notUtf8) {
            throw notEncoded();
        }
        throw notEncoded();
    }

    private static MalformedEnvelopeException notEncoded() {
        return new MalformedEnvelopeException("entity: a header value is not percent-encoded as it should be");
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
