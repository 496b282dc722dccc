/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.signetmq.keystore.KeystoreUnusableException;

/**
 * Names a private key in a token: a PKCS#11 URI (RFC 7512) with these attributes alone:
 *
 * <pre>
 * pkcs11:token=LABEL;object=LABEL;id=%01;slot-id=NUMBER?module-path=/path&amp;pin-source=file:/path
 * </pre>
 *
 * Immutable.
 */
public final class TokenUri {
    /** The beginning of each such URI. */
    public static final String SCHEME = "pkcs11:";

    private static final int MAX_LENGTH = 4096;
    private static final int MAX_TOKEN_BYTES = 32; // as PKCS#11 has it
    private static final int MAX_OBJECT_BYTES = 255;
    private static final int MAX_PATH_BYTES = 1024;
    private static final List<String> PATH = List.of("token", "object", "id", "slot-id");
    private static final List<String> QUERY = List.of("module-path", "pin-source");
    private static final Pattern SLOT = Pattern.compile("[0-9]{1,10}");
    private static final String FILE = "file:";

    /** The characters that the configuration of SunPKCS11 takes as part of a word. */
    private static final Pattern MODULE = Pattern.compile("/[A-Za-z0-9/._+~-]*");

    private final String text;
    private final Optional<String> token;
    private final OptionalInt slot;
    private final Optional<String> object;
    private final Optional<byte[]> id;
    private final Path module;
    private final Optional<Path> pinSource;

    private TokenUri(String text, UriAttributes path, UriAttributes query) {
        this.text = text;
        token = path.text("token", MAX_TOKEN_BYTES);
        object = path.text("object", MAX_OBJECT_BYTES);
        id = path.bytes("id", MAX_OBJECT_BYTES);
        Optional<String> number = path.text("slot-id", MAX_OBJECT_BYTES);
        slot = number.isPresent() ? OptionalInt.of(slot(number.get())) : OptionalInt.empty();
        module = module(query.text("module-path", MAX_PATH_BYTES)
                .orElseThrow(() -> UriAttributes.problem(
                        "attribute 'module-path': missing; add ?module-path=/path/to/the/PKCS11/library.so")));
        pinSource = query.text("pin-source", MAX_PATH_BYTES).map(TokenUri::pinFile);
        if (token.isEmpty() && slot.isEmpty()) {
            throw UriAttributes.problem("it names no token; add token=LABEL or slot-id=NUMBER");
        }
    }

    /**
     * Reads a URI.
     *
     * @throws KeystoreUnusableException if it is not such a URI; the text shows no value
     */
    public static TokenUri parse(String text) {
        if (!text.startsWith(SCHEME)) {
            throw UriAttributes.problem("must be a URI that begins with " + SCHEME);
        }
        if (text.length() > MAX_LENGTH) {
            throw UriAttributes.problem("longer than " + MAX_LENGTH + " characters");
        }
        int mark = text.indexOf('?');
        String path = text.substring(SCHEME.length(), mark < 0 ? text.length() : mark);
        String query = mark < 0 ? "" : text.substring(mark + 1);
        return new TokenUri(text, UriAttributes.of(path, ';', "&", PATH), UriAttributes.of(query, '&', "/?|", QUERY));
    }

    private static int slot(String number) {
        if (SLOT.matcher(number).matches() && Long.parseLong(number) <= Integer.MAX_VALUE) {
            return Integer.parseInt(number);
        }
        throw UriAttributes.problem("attribute 'slot-id': must be a number up to " + Integer.MAX_VALUE);
    }

    private static Path module(String path) {
        if (!MODULE.matcher(path).matches()) {
            throw UriAttributes.problem(
                    "attribute 'module-path': must be an absolute path of letters, digits and" + " / . _ + ~ - alone");
        }
        return Path.of(path);
    }

    private static Path pinFile(String source) {
        String path = source.startsWith(FILE) ? source.substring(FILE.length()) : source;
        try {
            Path file = Path.of(path.startsWith("///") ? path.substring(2) : path);
            if (file.isAbsolute()) {
                return file;
            }
        } catch (InvalidPathException e) {
            throw UriAttributes.problem("attribute 'pin-source': not a path");
        }
        throw UriAttributes.problem("attribute 'pin-source': must be file: and an absolute path");
    }

    /** Returns the URI as it was read. */
    String text() {
        return text;
    }

    /** Returns the label of the token. */
    Optional<String> token() {
        return token;
    }

    /** Returns the number of the slot. */
    OptionalInt slot() {
        return slot;
    }

    /** Tells whether the URI has the label or the id of a key. */
    public boolean namesKey() {
        return object.isPresent() || id.isPresent();
    }

    /** Returns the label of the certificate of the key. */
    Optional<String> object() {
        return object;
    }

    /** Returns the id of the key and of its certificate. */
    Optional<byte[]> id() {
        return id.map(byte[]::clone);
    }

    /** Returns the library of the token. */
    Path module() {
        return module;
    }

    /** Returns the file with the PIN in its first line. */
    public Optional<Path> pinSource() {
        return pinSource;
    }

    /** Returns words for the token in messages. */
    String tokenInWords() {
        return token.map(label -> "token '" + label + "'").orElseGet(() -> "token in slot " + slot.orElseThrow());
    }

    /** Returns words for the key in messages. */
    String keyInWords(String name) {
        String byId = id.map(bytes -> "id 0x" + HexFormat.of().formatHex(bytes)).orElse("");
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
