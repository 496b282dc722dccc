/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Locale;

/** The place where messages of a policy are sealed. */
public enum SealingPlace {
    /** The broker seals messages in clear. */
    BROKER,
    /** The producer seals. The broker rejects messages in clear. */
    CLIENT,
    /** Producers may seal. The broker seals the other messages. */
    EITHER;

    /** Returns the name in policy files and on the command line, in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
