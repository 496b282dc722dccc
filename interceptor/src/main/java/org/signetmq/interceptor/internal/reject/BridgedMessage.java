/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import org.apache.activemq.artemis.api.core.ActiveMQAddressFullException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;

/**
 * A message that comes over a core bridge or from another node of a cluster. Of all rejections a bridge takes only one
 * seriously, that of a full address: it keeps the message and tries again. With any other it logs the rejection and
 * drops the message.
 */
final class BridgedMessage {
    private BridgedMessage() {}

    /** Returns the rejection in the form that the sender of this message needs. */
    static ActiveMQException rejection(Message message, ActiveMQException rejection) {
        if (!isBridged(message)) {
            return rejection;
        }
        if (rejection == PreparedRejections.FOR_CLIENT) {
            return PreparedRejections.FOR_BRIDGE;
        }
        ActiveMQException kept = new ActiveMQAddressFullException(rejection.getMessage());
        kept.initCause(rejection.getCause() == null ? rejection : rejection.getCause());
        return kept;
    }

    /** A producer can claim the same, and then sees only the other error name. */
    private static boolean isBridged(Message message) {
        try {
            boolean embedded = message instanceof ICoreMessage core && core.getType() == Message.EMBEDDED_TYPE;
            return embedded || message.getExtraBytesProperty(Message.HDR_BRIDGE_DUPLICATE_ID) != null;
        } catch (RuntimeException undecodable) {
            return false;
        }
    }
}
