/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.keystore.PrintableText;

/**
 * Thrown to reject a message. Its text contains no content of the message. The plugin converts it to an exception of
 * the broker.
 */
public class MessageRejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final RejectionReason reason;

    /** Rejects a message that the plugin cannot protect. */
    public MessageRejectedException(String message) {
        this(RejectionReason.UNPROTECTABLE, message);
    }

    /** Rejects a message for another kind of reason. */
    public MessageRejectedException(RejectionReason reason, String message) {
        super(PrintableText.of(message, PrintableText.LONGEST_REASON));
        this.reason = reason;
    }

    /** Returns the kind of the reason. */
    public final RejectionReason reason() {
        return reason;
    }
}
