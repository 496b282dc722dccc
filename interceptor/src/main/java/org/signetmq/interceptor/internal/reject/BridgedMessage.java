/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import org.apache.activemq.artemis.api.core.ActiveMQAddressFullException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;

/**
 * Converts rejections for core bridges and for other nodes of a cluster. A bridge keeps its message and tries again
 * only after the rejection of a full address. After any other rejection it drops the message.
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

    /** Returns whether the message has the marks of a bridge. A producer that sets them gets the other error only. */
    private static boolean isBridged(Message message) {
        try {
            boolean embedded = message instanceof ICoreMessage core && core.getType() == Message.EMBEDDED_TYPE;
            return embedded || message.getExtraBytesProperty(Message.HDR_BRIDGE_DUPLICATE_ID) != null;
        } catch (RuntimeException undecodable) {
            return false;
        }
    }
}
