/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import org.signetmq.envelope.message.ClearMessage;

/** Reads the payload of a clear body. The caller sets the kind of the body before the first byte. */
public interface ClearBodyStage extends BodyStage {
    /** Sets the kind of the body. A repeated call has no effect. */
    void begin(ClearMessage.Body body) throws MessageRejectedException;
}
