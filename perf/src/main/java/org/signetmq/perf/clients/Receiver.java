/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.Payload;

/** Receives messages and reads them as an application does. For one thread. */
final class Receiver {
    private final Fetch fetch;
    private final Setting setting;
    private final UnaryOperator<byte[]> opener;
    private final byte[] payload;

    Receiver(Fetch fetch, Setting setting, Load load, Codec codec) {
        this.fetch = fetch;
        this.setting = setting;
        this.opener = codec.opener();
        this.payload = Payload.ofSize(load.size());
    }

    /** Returns the next message; null if there is none in time, or the consumer is closed. */
    @Nullable
    Message receive(long millis) throws JMSException {
        Message message = fetch.next(millis);
        if (message != null) {
            check(message);
        }
        return message;
    }

    /** Throws if a message is not what was sent: it makes the figures worthless. */
    void check(Message message) throws JMSException {
        byte @Nullable [] body = message.getBody(byte[].class); // JMS has null for an empty body
        byte[] opened = opener.apply(body == null ? new byte[0] : body);
        if (!(message instanceof BytesMessage) || !Arrays.equals(payload, opened)) {
            throw new JMSException("message: not what was sent");
        }
        requireQuality(message, setting);
    }

    /** Throws if a message did not have the protection of a setting. */
    static void requireQuality(Message message, Setting setting) throws JMSException {
        if (setting.protection().isSignet()) {
            String expected = setting.protection().quality().orElseThrow().label();
            String quality = message.getStringProperty(SignetConnectionFactory.QUALITY_PROPERTY);
            if (!expected.equals(quality)) {
                throw new JMSException("message: should have " + expected + ", found " + quality);
            }
        }
    }
}
