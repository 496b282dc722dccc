/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.store;

import java.io.IOException;

/** Thrown if the stored policies are not as they were written. */
public final class DamagedPoliciesException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedPoliciesException(String problem) {
        super("the policies in the broker's bindings journal: " + problem
                + "; restore the journal from a backup of the broker");
    }
}
