/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.io.IOException;

/** Thrown for an answer that is longer than its limit. */
final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException(int mostBytes) {
        super("an answer of more than " + mostBytes + " bytes");
    }
}
