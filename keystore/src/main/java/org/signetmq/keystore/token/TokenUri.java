/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;

/**
 * Names a private key in a token: a PKCS#11 URI (RFC 7512) with these attributes alone:
 *
 * <pre>
 * pkcs11:token=LABEL;object=LABEL;id=%01;slot-id=NUMBER?module-path=/path&amp;pin-source=file:/path
 * </pre>
 *
 * @param text the URI as it was read
 * @param token the label of the token
 * @param slot the number of the slot
 * @param object the label of the certificate of the key
 * @param id the id of the key and of its certificate, in hexadecimal
 * @param module the library of the token
 * @param pinSource the file with the PIN in its first line
 */
public record TokenUri(
        String text,
        Optional<String> token,
        OptionalInt slot,
        Optional<String> object,
        Optional<String> id,
        Path module,
        Optional<Path> pinSource) {
    /** The beginning of each such URI. */
    public static final String SCHEME = "pkcs11:";

    private static final int MAX_LENGTH = 4096;
    private static final int MAX_TOKEN_BYTES = 32; // as PKCS#11 has it
    private static final int MAX_OBJECT_BYTES = 255;
    private static final int MAX_PATH_BYTES = 1024;
    private static final List<String> PATH = List.of("token", "object", "id", "slot-id");
    private static final List<String> QUERY = List.of("module-path", "pin-source");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");
    private static final Pattern ESCAPED = Pattern.compile("%[0-9A-Fa-f]{2}");
    private static final String UNRESERVED = "-._~:[]@!$'()*+,=";
    private static final Pattern SLOT = Pattern.compile("[0-9]{1,10}");
    private static final String FILE = "file:";

    /** The characters that the configuration of SunPKCS11 takes as part of a word. */
    private static final Pattern MODULE = Pattern.compile("/[A-Za-z0-9/._+~-]*");

    public TokenUri {
        if (!MODULE.matcher(module.toString()).matches()) {
            throw problem("attribute 'module-path': must be an absolute path of letters, digits and / . _ + ~ - alone");
        }
        if (token.isEmpty() && slot.isEmpty()) {
            throw problem("it names no token; add token=LABEL or slot-id=NUMBER");
        }
    }

    /**
     * Reads a URI.
     *
     * @throws KeystoreUnusableException if it is not such a URI; the text shows no value
     */
    public static TokenUri parse(String text) {
        if (!text.startsWith(SCHEME)) {
            throw problem("must be a URI that begins with " + SCHEME);
        }
        if (text.length() > MAX_LENGTH) {
            throw problem("longer than " + MAX_LENGTH + " characters");
        }
        int mark = text.indexOf('?');
        Map<String, byte[]> values = new HashMap<>();
        read(text.substring(SCHEME.length(), mark < 0 ? text.length() : mark), ";", "&", PATH, values);
        read(mark < 0 ? "" : text.substring(mark + 1), "&", "/?|", QUERY, values);
        String module = text(values, "module-path", MAX_PATH_BYTES)
                .orElseThrow(() ->
                        problem("attribute 'module-path': missing; add ?module-path=/path/to/the/PKCS11/library.so"));
        return new TokenUri(
                text,
                text(values, "token", MAX_TOKEN_BYTES),
                text(values, "slot-id", MAX_OBJECT_BYTES).stream()
                        .mapToInt(TokenUri::slot)
                        .findFirst(),
                text(values, "object", MAX_OBJECT_BYTES),
                bytes(values, "id", MAX_OBJECT_BYTES).map(HexFormat.of()::formatHex),
                Path.of(module),
                text(values, "pin-source", MAX_PATH_BYTES).map(TokenUri::pinFile));
    }

    /**
     * Reads the attributes of a part (RFC 7512 section 2.3).
     *
     * @param separator the character between two attributes
     * @param alsoAllowed the characters that need no escape in this part, beside those of every part
     * @param known the names that may occur
     * @param values takes the attributes
     */
    private static void read(
            String part, String separator, String alsoAllowed, List<String> known, Map<String, byte[]> values) {
        if (part.isEmpty()) {
            return;
        }
        for (String attribute : part.split(separator, -1)) {
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
            if (values.put(name, decoded(name, attribute.substring(equals + 1), UNRESERVED + alsoAllowed)) != null) {
                throw problem("attribute '" + name + "': given twice");
            }
        }
    }

    private static byte[] decoded(String name, String value, String allowed) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            if (character == '%') {
                if (!ESCAPED.matcher(value).region(i, value.length()).lookingAt()) {
                    throw problem("attribute '" + name + "': two hexadecimal digits must follow '%'");
                }
                bytes.write(HexFormat.fromHexDigits(value, i + 1, i + 3));
                i += 2;
            } else if (character < 0x80 && (Character.isLetterOrDigit(character) || allowed.indexOf(character) >= 0)) {
                bytes.write(character);
            } else {
                throw problem("attribute '" + name + "': has a character that must be percent-encoded");
            }
        }
        return bytes.toByteArray();
    }

    private static Optional<byte[]> bytes(Map<String, byte[]> values, String name, int most) {
        Optional<byte[]> value = Optional.ofNullable(values.get(name));
        if (value.filter(bytes -> bytes.length == 0 || bytes.length > most).isPresent()) {
            throw problem("attribute '" + name + "': must have 1 to " + most + " bytes");
        }
        return value;
    }

    private static Optional<String> text(Map<String, byte[]> values, String name, int most) {
        return bytes(values, name, most).map(bytes -> text(name, bytes));
    }

    private static String text(String name, byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (!PrintableText.of(text).equals(text)) {
                throw problem("attribute '" + name + "': has a character that cannot be shown");
            }
            return text;
        } catch (CharacterCodingException e) {
            throw problem("attribute '" + name + "': not UTF-8 text");
        }
    }

    private static KeystoreUnusableException problem(String text) {
        return new KeystoreUnusableException("key-store: " + text);
    }

    private static int slot(String number) {
        if (SLOT.matcher(number).matches() && Long.parseLong(number) <= Integer.MAX_VALUE) {
            return Integer.parseInt(number);
        }
        throw problem("attribute 'slot-id': must be a number up to " + Integer.MAX_VALUE);
    }

    private static Path pinFile(String source) {
        String path = source.startsWith(FILE) ? source.substring(FILE.length()) : source;
        try {
            Path file = Path.of(path.startsWith("///") ? path.substring(2) : path);
            if (file.isAbsolute()) {
                return file;
            }
        } catch (InvalidPathException e) {
            throw problem("attribute 'pin-source': not a path");
        }
        throw problem("attribute 'pin-source': must be file: and an absolute path");
    }

    /** Tells whether the URI has the label or the id of a key. */
    public boolean namesKey() {
        return object.isPresent() || id.isPresent();
    }

    /** Returns words for the token in messages. */
    String tokenInWords() {
        return token.map(label -> "token '" + label + "'").orElseGet(() -> "token in slot " + slot.orElseThrow());
    }

    /** Returns words for the key in messages. */
    String keyInWords(String name) {
        String byId = id.map(hex -> "id 0x" + hex).orElse("");
        if (object.isEmpty() && id.isPresent()) {
            return byId;
        }
        return "label '" + object.orElse(name) + "'" + (byId.isEmpty() ? "" : " and " + byId);
    }

    @Override
    public String toString() {
        return "TokenUri[" + tokenInWords() + "]";
    }
}
