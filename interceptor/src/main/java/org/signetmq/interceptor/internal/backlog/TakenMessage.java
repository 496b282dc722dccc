/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.MessageReference;

/**
 * A message that the plugin took out of its queue. The broker counts it as being delivered.
 *
 * @param due the time before which the broker must not deliver it, in milliseconds; 0 if there is none
 */
record TakenMessage(MessageReference reference, long due) {
    Message message() {
        return reference.getMessage();
    }

    long id() {
        return reference.getMessageID();
    }
}
