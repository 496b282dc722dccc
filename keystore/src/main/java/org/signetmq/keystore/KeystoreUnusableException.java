/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import org.jspecify.annotations.Nullable;

/** Thrown for unusable keys, certificates or passwords. The text names the file or entry, and the remedy. */
public final class KeystoreUnusableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public KeystoreUnusableException(String message) {
        super(PrintableText.of(message, PrintableText.LONGEST_REASON));
    }

    public KeystoreUnusableException(String message, @Nullable Throwable cause) {
        super(PrintableText.of(message, PrintableText.LONGEST_REASON), cause);
    }
}
