/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Locale;

/** Selects the sealed messages of a policy that get a line in the audit log of the broker. */
public enum MessageAudit {
    /** No message. The policy file has no key then. */
    NONE,
    /** Each message that the broker seals. */
    EACH;

    /** Returns the name in policy files and on the command line, in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
