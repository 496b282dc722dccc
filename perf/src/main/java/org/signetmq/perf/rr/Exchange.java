/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.perf.Payload;

/**
 * What is exchanged in a block: this payload, protected like this.
 *
 * @param block the block
 * @param payload of requests and replies
 */
record Exchange(Block block, byte[] payload) {
    private static final byte[] NOTHING = {}; // JMS has null for an empty body

    Exchange(Block block) {
        this(block, Payload.ofSize(block.load().size()));
    }

    /** Reads a message as an application does; one that is not what it should be makes the figures worthless. */
    void check(Message message) throws JMSException {
        byte @Nullable [] received = message.getBody(byte[].class);
        if (!(message instanceof BytesMessage) || !Arrays.equals(payload, received == null ? NOTHING : received)) {
            throw new JMSException("message: not what was sent");
        }
        String quality = message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY);
        if (block.variant().protects() && !block.variant().quality().label().equals(quality)) {
            throw new JMSException("message: should have " + block.variant().quality() + ", found " + quality);
        }
    }
}
