/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.Arrays;

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
