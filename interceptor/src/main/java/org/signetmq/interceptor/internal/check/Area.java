/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import java.util.Locale;

/** The subject of a check. The order is that of the answer. */
enum Area {
    PLUGIN,
    PLUGIN_ORDER,
    POLICIES,
    HOME,
    CERTIFICATES,
    KEYS,
    LARGE_MESSAGES,
    ACCEPTORS,
    BRIDGES,
    BACKUP,
    DEAD_LETTERS,
    SECURITY,
    MANAGEMENT,
    AUDIT_LOG;

    /** Returns the name in words, in lower case. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
