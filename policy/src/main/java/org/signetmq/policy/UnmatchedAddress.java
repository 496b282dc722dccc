/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Locale;

/** The treatment of messages to addresses without a policy. */
public enum UnmatchedAddress {
    /** The messages pass unchanged. */
    PASS,
    /** The messages are rejected. */
    REJECT;

    /** Returns the name in policy files, in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
