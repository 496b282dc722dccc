/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The protection that a message needs before it reaches a queue. */
public enum QualityOfProtection implements Labelled {
    /** The message passes as it is. */
    NONE,
    /** The message is signed: any client can read it, and none can change it. */
    INTEGRITY,
    /** The message is signed, then encrypted under its own key. */
    PRIVACY,
    /** The message is encrypted under a key that several messages may share. It is not signed. */
    CONFIDENTIALITY;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Tells whether messages of this quality carry a signature. */
    public boolean signs() {
        return this == INTEGRITY || this == PRIVACY;
    }

    /** Tells whether only recipients can read messages of this quality. */
    public boolean encrypts() {
        return this == PRIVACY || this == CONFIDENTIALITY;
    }

    /** Tells whether this quality signs if the other one signs, and encrypts if the other one encrypts. */
    public boolean protectsNoLessThan(QualityOfProtection other) {
        return (signs() || !other.signs()) && (encrypts() || !other.encrypts());
    }

    /** Returns the name in policy files, on the command line and in message properties, in lower case. */
    @Override
    public String label() {
        return label;
    }

    /** Returns the quality with this {@link #label()} in upper or lower case; empty for any other text. */
    public static Optional<QualityOfProtection> named(String label) {
        return Arrays.stream(values())
                .filter(quality -> quality.label().equalsIgnoreCase(label))
                .findFirst();
    }
}
