/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.queue;

import java.io.ObjectInputFilter;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * Serialised Java objects in messages, which are never read: senders choose their classes and sizes. This is no method
 * of the command, because picocli's reflection would then load the client for every command.
 */
final class SerializedObjects {
    private SerializedObjects() {}

    /**
     * Has messages of a factory reject them. The factory admits arrays, which the whole process rejects from now on.
     */
    static synchronized void reject(ActiveMQConnectionFactory factory) {
        factory.setDeserializationDenyList("*");
        if (ObjectInputFilter.Config.getSerialFilter() == null) {
            ObjectInputFilter.Config.setSerialFilter(reading -> ObjectInputFilter.Status.REJECTED);
        }
    }
}
