/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.signetmq.keystore.KeystoreUnusableException;

/** The attributes of one part of a PKCS#11 URI, decoded (RFC 7512 section 2.3). Its errors never show a value. */
final class UriAttributes {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");
    private static final String UNRESERVED = "-._~:[]@!$'()*+,=";

    private final Map<String, byte[]> values = new HashMap<>();

    private UriAttributes() {}

    /**
     * Reads the attributes of a part.
     *
     * @param separator the character between two attributes
     * @param alsoAllowed the characters that need no escape in this part, beside those of every part
     * @param known the names that may occur
     */
    static UriAttributes of(String part, char separator, String alsoAllowed, List<String> known) {
        UriAttributes read = new UriAttributes();
        if (part.isEmpty()) {
            return read;
        }
        for (String attribute : part.split(Pattern.quote(String.valueOf(separator)), -1)) {
            int equals = attribute.indexOf('=');
            String name = equals < 0 ? "" : attribute.substring(0, equals);
            if (!NAME.matcher(name).matches()) {
                throw problem("an attribute is not of the form name=value");
            }
            if (name.equals("pin-value")) {
                throw problem("pin-value: a PIN does not belong in a URI; use pin-source=file:PATH or SIGNET_PIN");
            }
            if (!known.contains(name)) {
                throw problem("attribute '" + name + "': unknown here; known are " + String.join(", ", known));
            }
            byte[] value = decoded(name, attribute.substring(equals + 1), UNRESERVED + alsoAllowed);
            if (read.values.put(name, value) != null) {
                throw problem("attribute '" + name + "': given twice");
            }
        }
        return read;
    }

    static KeystoreUnusableException problem(String text) {
        return new KeystoreUnusableException("key-store: " + text);
    }

    Optional<byte[]> bytes(String name, int most) {
        byte[] value = values.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value.length == 0 || value.length > most) {
            throw problem("attribute '" + name + "': must have 1 to " + most + " bytes");
        }
        return Optional.of(value.clone());
    }

    Optional<String> text(String name, int most) {
        return bytes(name, most).map(bytes -> text(name, bytes));
    }

    private static String text(String name, byte[] bytes) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw problem("attribute '" + name + "': not UTF-8 text");
        }
        if (text.codePoints().anyMatch(UriAttributes::isUnfit)) {
            throw problem("attribute '" + name + "': has a character that cannot be shown");
        }
        return text;
    }

    private static boolean isUnfit(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    private static byte[] decoded(String name, String value, String allowed) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            if (character == '%') {
                bytes.write(escaped(name, value, i));
                i += 2;
            } else if (isAlphanumeric(character) || allowed.indexOf(character) >= 0) {
                bytes.write(character);
            } else {
                throw problem("attribute '" + name + "': has a character that must be percent-encoded");
            }
        }
        return bytes.toByteArray();
    }

    private static int escaped(String name, String value, int at) {
        if (at + 2 >= value.length()
                || !HexFormat.isHexDigit(value.charAt(at + 1))
                || !HexFormat.isHexDigit(value.charAt(at + 2))) {
            throw problem("attribute '" + name + "': two hexadecimal digits must follow '%'");
        }
        return HexFormat.fromHexDigits(value, at + 1, at + 3);
    }

    private static boolean isAlphanumeric(char character) {
        return (character >= '0' && character <= '9')
                || (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z');
    }
}
