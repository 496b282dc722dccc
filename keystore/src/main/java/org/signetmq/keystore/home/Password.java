/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.nio.file.Path;
import java.util.Arrays;
import org.signetmq.keystore.KeystoreUnusableException;

/** A password with one owner. Closing wipes it; printing it never shows it. */
public final class Password implements AutoCloseable {
    private final char[] characters;

    private Password(char[] characters) {
        this.characters = characters;
    }

    /** A password of these characters; the array is wiped on close. */
    public static Password takeOwnershipOf(char[] characters) {
        return new Password(characters);
    }

    /**
     * The first line of a UTF-8 file, without its line end.
     *
     * @throws KeystoreUnusableException if the file is missing, unreadable, too long, not UTF-8 or starts with an empty
     *     line
     */
    public static Password fromFile(Path file) {
        return new Password(PasswordFile.read(file));
    }

    char[] characters() {
        return characters;
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
