/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Locale;

/** The treatment of messages to addresses without a policy. */
public enum UnmatchedAddress {
    /** They pass as they are. */
    PASS,
    /** They are rejected. */
    REJECT;

    /** The name in policy files: lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
