/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.util.List;

/**
 * One message of a producer that knows nothing of Signet.
 *
 * @param name says which
 * @param routing how its producer addresses it
 * @param sending sends it
 */
record Letter(String name, Routing routing, Sending sending) {
    /** Whether each consumer has the queue that it is sent to, or the topic. */
    enum Routing {
        QUEUE,
        TOPIC
    }

    /** Sends the message to each of these addresses of a broker. */
    @FunctionalInterface
    interface Sending {
        void send(TestBroker broker, List<String> addresses) throws Exception;
    }

    @Override
    public String toString() {
        return name;
    }
}
