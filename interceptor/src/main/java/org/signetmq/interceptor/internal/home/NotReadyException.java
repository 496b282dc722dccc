/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** Thrown to reject a message while the plugin is not ready. The log already has one line about that state. */
public final class NotReadyException extends MessageRejectedException {
    private static final long serialVersionUID = 1L;

    public NotReadyException(String reason) {
        super(RejectionReason.NOT_READY, reason);
    }
}
