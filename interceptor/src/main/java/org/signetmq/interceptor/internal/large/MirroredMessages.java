/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;
import org.signetmq.interceptor.internal.body.MessageBodies;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.stream.DiscardingStage;
import org.signetmq.interceptor.internal.stream.EnvelopeDetectingStage;
import org.signetmq.interceptor.internal.stream.RejectingStage;

/**
 * Tells of messages that another broker mirrors here whether that broker sealed them. They pass unchanged, by their
 * form alone. This broker may have other keys and policies, and a rejection would lose the message on the mirror. Any
 * client that may send to the mirror's address can pose as a broker. So clear messages are judged like all others.
 */
public final class MirroredMessages {
    private MirroredMessages() {}

    /**
     * Whether the body is a row of envelopes by its form, which proves nothing.
     *
     * @param mostBytes how long a body may be in memory
     * @throws MessageRejectedException if the body cannot be read
     */
    public static boolean areSealed(Message message, long mostBytes) throws Exception {
        BufferedBody held = BufferedBody.of(message);
        if (message.isLargeMessage() && held == null) {
            return LargeMessages.isSealed((LargeServerMessage) message, EnvelopeDetectingStage.Envelopes.byForm());
        }
        if (held != null && message instanceof ICoreMessage core) {
            return core.getType() == Message.BYTES_TYPE && isSealed(held);
        }
        Message whole = held == null ? message : AmqpLargeBody.whole(message, held.bytes(mostBytes));
        byte[] body = MessageBodies.of(whole, "", mostBytes).possibleEnvelope().orElse(null);
        return body != null && EnvelopeDetectingStage.isSealed(body, EnvelopeDetectingStage.Envelopes.byForm());
    }

    private static boolean isSealed(BufferedBody held) throws Exception {
        EnvelopeDetectingStage judge = new EnvelopeDetectingStage(
                EnvelopeDetectingStage.Envelopes.byForm(), new DiscardingStage(), new RejectingStage(""));
        try (judge) {
            held.read(judge::add);
            judge.finish();
            return judge.wasSealed();
        } catch (MessageRejectedException notSealed) {
            return false;
        }
    }
}
