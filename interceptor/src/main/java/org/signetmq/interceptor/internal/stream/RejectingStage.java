/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/**
 * Rejects every body.
 *
 * @param reason the text of the rejection
 */
public record RejectingStage(String reason) implements BodyStage {
    @Override
    public void add(byte[] bytes, int offset, int length) throws MessageRejectedException {
        throw new MessageRejectedException(RejectionReason.NOT_SEALED, reason);
    }

    @Override
    public void finish() throws MessageRejectedException {
        throw new MessageRejectedException(RejectionReason.NOT_SEALED, reason);
    }
}
