/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.file.BoundedFile;

/** A password in memory, which close wipes. Its text never shows it. Not thread-safe. */
public final class Password implements AutoCloseable {
    private static final int MAX_BYTES = 4096;

    private final char[] characters;
    private final @Nullable Path file;

    private Password(char[] characters, @Nullable Path file) {
        this.characters = characters;
        this.file = file;
    }

    /** Returns a password of these characters. It owns the array from now on, and wipes it on close. */
    public static Password takeOwnershipOf(char[] characters) {
        return new Password(characters, null);
    }

    /**
     * Reads the first line of a UTF-8 file, without its line end.
     *
     * @throws KeystoreUnusableException if the file is missing, unreadable, longer than 4096 bytes, not UTF-8, or
     *     begins with an empty line
     */
    public static Password fromFile(Path file) {
        PermissionCheck.forThisUser().secret(file).requireNoFinding();
        byte[] bytes = BoundedFile.read(file, MAX_BYTES);
        try {
            int length = firstLineLength(bytes);
            if (length == 0) {
                throw new KeystoreUnusableException("password file " + file + ": its first line is empty");
            }
            return new Password(decode(bytes, length), file);
        } catch (CharacterCodingException e) {
            throw new KeystoreUnusableException("password file " + file + ": not UTF-8 text", e);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static int firstLineLength(byte[] bytes) {
        int length = 0;
        while (length < bytes.length && bytes[length] != '\n') {
            length++;
        }
        boolean windowsLineEnd = length < bytes.length && length > 0 && bytes[length - 1] == '\r';
        return windowsLineEnd ? length - 1 : length;
    }

    private static char[] decode(byte[] bytes, int length) throws CharacterCodingException {
        CharBuffer decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
        char[] characters = new char[decoded.remaining()];
        decoded.get(characters);
        if (decoded.hasArray()) {
            Arrays.fill(decoded.array(), '\0');
        }
        return characters;
    }

    /** Returns a copy, which its owner closes. */
    Password copy() {
        return new Password(characters.clone(), file);
    }

    /** Returns the array that close wipes. The caller does not keep it. */
    public char[] characters() {
        return characters;
    }

    /** Returns a copy of the characters; the caller wipes it. */
    public char[] copyOfCharacters() {
        return characters.clone();
    }

    /** Returns the words for a wrong password, with the file that it comes from. */
    String wrong() {
        return file == null ? "wrong password" : "wrong password, the first line of " + file;
    }

    @Override
    public void close() {
        Arrays.fill(characters, '\0');
    }

    @Override
    public String toString() {
        return "Password[***]";
    }
}
