/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.signetmq.interceptor.internal.body.AmqpBody;
import org.signetmq.interceptor.internal.body.MessageBodies;
import org.signetmq.interceptor.internal.parse.BodyStage;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.stream.EnvelopeDetectingStage;

/**
 * Recognises sealed messages among those that another broker mirrors here. They pass unchanged, by their form alone.
 * This broker may have other keys and policies, and a rejection would lose the message on the mirror. Any client that
 * may send to the mirror's address can pose as a broker. So clear messages are judged like all others.
 */
public final class MirroredMessages {
    private MirroredMessages() {}

    /**
     * Returns whether the body has the form of envelopes. It verifies no signature.
     *
     * @param mostBytes the greatest length of a body in memory, in bytes
     * @throws MessageRejectedException if the body cannot be read
     */
    public static boolean areSealed(Message message, long mostBytes) throws Exception {
        BufferedBody held = BufferedBody.of(message);
        if (message.isLargeMessage() && held == null) {
            return LargeMessages.isSealed((LargeServerMessage) message, EnvelopeDetectingStage.Envelopes.byForm());
        }
        if (held != null && message instanceof ICoreMessage core) {
            return core.getType() == Message.BYTES_TYPE && isSealed(stage -> held.read(stage::add));
        }
        Message whole = held == null ? message : AmqpBody.whole(message, held.bytes(mostBytes));
        ByteBuffer body =
                MessageBodies.of(whole, "", mostBytes).possibleEnvelope().orElse(null);
        return body != null
                && isSealed(stage -> stage.add(body.array(), body.arrayOffset() + body.position(), body.remaining()));
    }

    private static boolean isSealed(BodyStage.Source body) throws Exception {
        return EnvelopeDetectingStage.isSealed(body, EnvelopeDetectingStage.Envelopes.byForm());
    }
}
