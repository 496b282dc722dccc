/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.store;

import java.io.IOException;

/** Thrown if the stored policies are not as they were written, or are lost. */
public final class DamagedPoliciesException extends IOException {
    private static final long serialVersionUID = 1L;

    public DamagedPoliciesException(String problem) {
        super("the policies in the broker's bindings journal: " + problem
                + "; put them back with signet policy import FILE --restore --broker URL, where FILE is from signet policy"
                + " export, or restore the broker's data from a backup");
    }
}
