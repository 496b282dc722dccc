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
    CONFIDENTIALITY,
    /** Like confidentiality, and the recipients know the sender, who agreed on the key with each of them. */
    AUTHENTICITY;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Tells whether messages of this quality carry a signature. */
    public boolean signs() {
        return this == INTEGRITY || this == PRIVACY;
    }

    /** Tells whether only recipients can read messages of this quality. */
    public boolean encrypts() {
        return this == PRIVACY || reusesKeys();
    }

    /** Tells whether several messages of this quality may share a data key. */
    public boolean reusesKeys() {
        return this == CONFIDENTIALITY || this == AUTHENTICITY;
    }

    /** Tells whether a recipient of this quality knows the party that sealed the message. */
    public boolean provesSender() {
        return signs() || this == AUTHENTICITY;
    }

    /**
     * Tells whether this quality proves the sender to recipients, signs and encrypts in each case in which the other
     * one does.
     */
    public boolean protectsNoLessThan(QualityOfProtection other) {
        return (signs() || !other.signs())
                && (encrypts() || !other.encrypts())
                && (provesSender() || !other.provesSender());
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
