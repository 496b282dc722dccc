/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

import org.signetmq.envelope.message.ClearMessage;

/** Takes the payload of a clear body. It learns the kind of the body before the first byte. */
public interface ClearBodyStage extends BodyStage {
    /** Learns the kind of the body. A repeated call is ignored. */
    void begin(ClearMessage.Body body) throws MessageRejectedException;
}
