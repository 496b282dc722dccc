/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The protection that a message needs before it reaches a queue. */
public enum QualityOfProtection {
    /** The message passes as it is. */
    NONE,
    /** Signed: any client can read it, and none can change it. */
    INTEGRITY,
    /** Signed, then encrypted under a key of its own. */
    PRIVACY,
    /** Encrypted under a key that may serve several messages; not signed. */
    CONFIDENTIALITY;

    /** Whether messages of this quality carry a signature. */
    public boolean signs() {
        return this == INTEGRITY || this == PRIVACY;
    }

    /** Whether only recipients can read messages of this quality. */
    public boolean encrypts() {
        return this == PRIVACY || this == CONFIDENTIALITY;
    }

    /** Whether messages of this quality are signed where those of the other are, and encrypted where they are. */
    public boolean protectsNoLessThan(QualityOfProtection other) {
        return (signs() || !other.signs()) && (encrypts() || !other.encrypts());
    }

    /** The name in policy files, on the command line and in message properties: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The quality with this {@link #label()}, upper or lower case not mattering. */
    public static Optional<QualityOfProtection> named(String label) {
        return Arrays.stream(values())
                .filter(quality -> quality.label().equalsIgnoreCase(label))
                .findFirst();
    }
}
