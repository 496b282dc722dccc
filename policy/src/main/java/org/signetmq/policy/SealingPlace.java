/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Locale;

/** Where messages of a policy are sealed. */
public enum SealingPlace {
    /** In the broker, which seals clear messages. */
    BROKER,
    /** At the producer: the broker rejects clear messages. */
    CLIENT,
    /** Wherever it happens first. */
    EITHER;

    /** The name in policy files and on the command line: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
