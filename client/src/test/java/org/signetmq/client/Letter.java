/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

/**
 * One message that a producer who knows nothing of Signet sends.
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

    /** Sends to an address of a broker. */
    @FunctionalInterface
    interface Sending {
        void send(TestBroker broker, String address) throws Exception;
    }

    @Override
    public String toString() {
        return name;
    }
}
