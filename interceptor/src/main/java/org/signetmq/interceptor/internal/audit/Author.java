/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.audit;

import org.jspecify.annotations.Nullable;

/**
 * The author of a change.
 *
 * @param by the user, or {@code file} for an edited file; null if unknown
 * @param from the remote address of the user, or {@code jmx}; null if unknown
 */
public record Author(@Nullable String by, @Nullable String from) {
    /** The author of a change that the plugin found in the policy file. Only the file system may know the user. */
    public static final Author FILE = new Author("file", null);
}
