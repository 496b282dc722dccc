/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import org.apache.activemq.artemis.api.core.ActiveMQAddressFullException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;

/**
 * A message that comes over a core bridge or from another node of a cluster. Of all refusals a bridge takes only one
 * seriously, that of a full address: it keeps the message and tries again. With any other it logs the refusal and drops
 * the message.
 */
final class BridgedMessage {
    private BridgedMessage() {}

    /** The refusal as it must be told to whom this message comes from. */
    static ActiveMQException refusal(Message message, ActiveMQException refusal) {
        if (!isBridged(message)) {
            return refusal;
        }
        if (refusal == PreparedRefusals.FOR_CLIENT) {
            return PreparedRefusals.FOR_BRIDGE;
        }
        ActiveMQException kept = new ActiveMQAddressFullException(refusal.getMessage());
        kept.initCause(refusal.getCause() == null ? refusal : refusal.getCause());
        return kept;
    }

    /** A producer may say so too, and then is told of its refusal in another word. */
    private static boolean isBridged(Message message) {
        try {
            boolean embedded = message instanceof ICoreMessage core && core.getType() == Message.EMBEDDED_TYPE;
            return embedded || message.getExtraBytesProperty(Message.HDR_BRIDGE_DUPLICATE_ID) != null;
        } catch (RuntimeException undecodable) {
            return false;
        }
    }
}
