/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.Locale;

/**
 * Something that is wrong with a broker. The texts have one line, no control characters and a bounded length.
 *
 * @param area the subject
 * @param level the weight
 * @param what the problem
 * @param remedy the remedy for the administrator
 */
record BrokerFinding(Area area, Level level, String what, String remedy) {
    BrokerFinding {
        what = Shown.text(what);
        remedy = Shown.text(remedy);
    }

    /** The weight of a finding. */
    enum Level {
        /** Messages are rejected, lost or unprotected, or a right is too wide. */
        WRONG,
        /** The broker works, and an administrator should know this. */
        WARNING;

        /** Returns the name in lower case. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
