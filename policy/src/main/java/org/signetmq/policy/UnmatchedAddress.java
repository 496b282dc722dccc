/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Locale;

/** What happens to messages of addresses that no policy covers. */
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
