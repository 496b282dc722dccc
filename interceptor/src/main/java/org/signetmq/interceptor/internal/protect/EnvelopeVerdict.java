/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.util.function.BooleanSupplier;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** Runs checks of envelopes, and maps their exceptions to rejections with a reason. */
public final class EnvelopeVerdict {
    private EnvelopeVerdict() {}

    /**
     * Returns the result of a check.
     *
     * @throws MessageRejectedException if the envelope must be rejected, and must not be sealed again
     */
    public static boolean of(BooleanSupplier check) throws MessageRejectedException {
        try {
            return check.getAsBoolean();
        } catch (SenderMismatchException e) {
            throw new MessageRejectedException(RejectionReason.SENDER, String.valueOf(e.getMessage()));
        } catch (SignerRejectedException e) {
            throw new MessageRejectedException(RejectionReason.CERTIFICATE, "signer: " + e.getMessage());
        }
    }
}
