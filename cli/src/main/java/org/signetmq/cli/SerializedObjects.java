/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import java.io.ObjectInputFilter;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Serialised objects of Java in messages, which are never read: senders choose their classes and sizes. */
final class SerializedObjects {
    private SerializedObjects() {}

    /**
     * Has a factory's messages refuse them. Arrays, which the factory admits, the whole process refuses from now on.
     */
    static synchronized void refuse(ActiveMQConnectionFactory factory) {
        factory.setDeserializationDenyList("*");
        if (ObjectInputFilter.Config.getSerialFilter() == null) {
            ObjectInputFilter.Config.setSerialFilter(reading -> ObjectInputFilter.Status.REJECTED);
        }
    }
}
