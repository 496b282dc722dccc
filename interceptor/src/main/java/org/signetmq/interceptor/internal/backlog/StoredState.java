/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import java.nio.ByteBuffer;
import java.util.Arrays;
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
import org.signetmq.interceptor.internal.large.StoredBody;
import org.signetmq.interceptor.internal.protect.AddressRules;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/**
 * Finds out how a stored message is protected. It changes no message, uses no private key, and reads of a large message
 * the first envelope alone. Thread-safe.
 *
 * @param before the policies before a change
 * @param policies the policies after it
 * @param addresses finds the addresses that policies mean
 * @param home the certificates of the broker
 */
record StoredState(PolicySet before, PolicySet policies, AddressRules addresses, LoadedHome home) {
    /** The protection of a message that lies in a queue, seen from the policies after a change. */
    enum State {
        /** The message is no envelope. */
        CLEAR,
        /** The message is sealed as the policy requires. */
        AS_REQUIRED,
        /**
         * The message is encrypted for the right recipients. Only they can tell whether it is signed inside as the
         * policy requires, because the policy before required something else.
         */
        UNCERTAIN,
        /** The message is sealed, but not as the policy requires, or there is no policy. */
        OTHERWISE,
        /** The message cannot be read. */
        UNREADABLE
    }

    /** Returns the state of a message in a queue of this address. It never throws. */
    State of(Message message, SimpleString address) {
        try {
            byte[] envelope = envelope(message);
            if (envelope == null) {
                return State.CLEAR;
            }
            for (SimpleString place : Arrays.asList(address, origin(message))) {
                SimpleString bare = addresses.ofRoute(place).orElse(null);
                EffectivePolicy policy = bare == null ? null : protecting(policies, bare);
                if (bare != null && policy != null && satisfies(envelope, message, bare, policy)) {
                    return isToldFromOutside(policy.policy(), protecting(before, bare))
                            ? State.AS_REQUIRED
                            : State.UNCERTAIN;
                }
            }
            return State.OTHERWISE;
        } catch (Throwable e) {
            return State.UNREADABLE; // the broker may delete the file of a large message meanwhile
        }
    }

    private byte @Nullable [] envelope(Message message) throws Exception {
        byte[] bytes;
        if (message instanceof LargeServerMessage large && message.isLargeMessage()) {
            bytes = StoredBody.firstEnvelope(large).orElse(null);
        } else {
            Message copy = message.copy(message.getMessageID(), true); // a consumer may read the message meanwhile
            ByteBuffer body = MessageBodies.of(copy, "", home.maxMessageSize())
                    .possibleEnvelope()
                    .filter(EnvelopeCheck::looksSealed)
                    .orElse(null);
            bytes = body == null ? null : new byte[body.remaining()];
            if (body != null) {
                body.duplicate().get(bytes);
            }
        }
        return bytes != null && isEnvelope(bytes) ? bytes : null;
    }

    /** Returns whether the bytes begin with an envelope, and not only as one does. */
    private static boolean isEnvelope(byte[] bytes) {
        int first = EnvelopeChain.lengthOf(bytes, bytes.length);
        return EnvelopeChain.isEnvelope(bytes, 0, first < 0 ? bytes.length : Math.min(first, bytes.length));
    }

    private static @Nullable EffectivePolicy protecting(PolicySet policies, SimpleString address) {
        return policies.find(address.toString())
                .filter(found -> found.policy().quality() != QualityOfProtection.NONE)
                .orElse(null);
    }

    /**
     * Returns whether an envelope that fits from outside fits inside, too. A signature inside of encryption is
     * invisible, so there must have been the same requirements before.
     */
    private static boolean isToldFromOutside(Policy after, @Nullable EffectivePolicy before) {
        return !after.quality().encrypts()
                || (before != null
                        && before.policy().quality() == after.quality()
                        && (!after.quality().signs()
                                || (before.policy()
                                                .signing()
                                                .signers()
                                                .equals(after.signing().signers())
                                        && before.policy().signing().algorithm()
                                                == after.signing().algorithm())));
    }

    private boolean satisfies(byte[] envelope, Message message, SimpleString address, EffectivePolicy policy) {
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
