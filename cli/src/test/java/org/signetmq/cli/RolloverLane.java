/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import jakarta.jms.JMSException;
import org.eclipse.paho.client.mqttv3.MqttException;

/** Producers and consumers of one protocol. */
interface RolloverLane extends AutoCloseable {
    /** Returns the last part of the lane's addresses. */
    String protocol();

    /** Makes the queue of an address, and consumes nothing yet. */
    void prepare(String address) throws Exception;

    /** Begins to produce for an address. All messages are sent by one thread. */
    RolloverFlow.Sending producer(String address) throws Exception;

    /** Begins to consume the messages of a prepared address. */
    void consume(String address, RolloverFlow flow) throws Exception;

    @Override
    void close() throws JMSException, MqttException;
}
