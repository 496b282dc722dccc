/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.EnvelopeCheck;
import org.signetmq.envelope.SenderRule;
import org.signetmq.interceptor.internal.body.MessageBodies;
import org.signetmq.interceptor.internal.home.LoadedHome;
import org.signetmq.interceptor.internal.large.FirstEnvelope;
import org.signetmq.interceptor.internal.protect.AddressRules;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/**
 * Finds out how a stored message is protected. It changes no message, uses no private key, and reads of a large message
 * the first envelope alone. Thread-safe.
 *
 * @param policies the policies after a change
 * @param addresses finds the addresses that policies mean
 * @param home the certificates of the broker
 */
record StoredState(PolicySet policies, AddressRules addresses, LoadedHome home) {
    /** Returns the state of a message in a queue of this address. It never throws. */
    MessageState of(Message message, SimpleString address) {
        try {
            byte[] envelope = envelope(message);
            if (envelope == null) {
                return MessageState.CLEAR;
            }
            return satisfies(envelope, message, address) || satisfies(envelope, message, origin(message))
                    ? MessageState.AS_REQUIRED
                    : MessageState.OTHERWISE;
        } catch (Throwable e) {
            return MessageState.UNREADABLE; // the broker may delete the file of a large message meanwhile
        }
    }

    private byte @Nullable [] envelope(Message message) throws Exception {
        if (message instanceof LargeServerMessage large && message.isLargeMessage()) {
            return FirstEnvelope.of(large).filter(StoredState::isEnvelope).orElse(null);
        }
        // a consumer may read the message meanwhile
        Message copy = message.copy(message.getMessageID(), true);
        ByteBuffer body = MessageBodies.of(copy, "", home.maxMessageSize())
                .possibleEnvelope()
                .orElse(null);
        if (body == null || !EnvelopeCheck.looksSealed(body)) {
            return null;
        }
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        return isEnvelope(bytes) ? bytes : null;
    }

    /** Returns whether the bytes begin with an envelope, and not only as one does. */
    private static boolean isEnvelope(byte[] bytes) {
        int first = EnvelopeChain.lengthOf(bytes, bytes.length);
        return EnvelopeChain.isEnvelope(bytes, 0, first < 0 ? bytes.length : Math.min(first, bytes.length));
    }

    private boolean satisfies(byte[] envelope, Message message, @Nullable SimpleString given) {
        SimpleString address = addresses.ofRoute(given).orElse(null);
        EffectivePolicy policy = address == null
                ? null
                : policies.find(address.toString())
                        .filter(found -> found.policy().quality() != QualityOfProtection.NONE)
                        .orElse(null);
        if (address == null || policy == null) {
            return false;
        }
        return message.isLargeMessage()
                ? home.crypto()
                        .chain(address.toString(), policy, SenderRule.ANY)
                        .accepts(envelope, 0, envelope.length)
                : home.crypto().satisfies(envelope, address.toString(), policy, SenderRule.ANY);
    }

    /** Returns the address from which the broker moved a message; null if it did not move it. */
    private static @Nullable SimpleString origin(Message message) {
        return Optional.ofNullable(message.getBrokerProperty(Message.HDR_ORIGINAL_ADDRESS))
                .map(noted -> SimpleString.of(noted.toString()))
                .orElse(null);
    }
}
