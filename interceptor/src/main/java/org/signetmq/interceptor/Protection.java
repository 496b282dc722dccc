/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.Optional;
import org.apache.activemq.artemis.api.core.Message;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.SealingPlace;

/** Makes a message what its policy wants, in place, or refuses it. */
final class Protection {
    /** Left free in the largest journal record, for the record's own fields and what the broker adds to a message. */
    static final int RESERVE = 1024;

    /** Set on messages found right, in this process only: no peer can write it. Its value is the address. */
    private static final Object FOUND_RIGHT = new Object();

    /** Bounds memory where the broker bounds nothing, as without persistence. */
    private static final long MOST_BYTES = 64L << 20;

    private final Counters counters;

    Protection(Counters counters) {
        this.counters = counters;
    }

    /**
     * Where a message goes.
     *
     * @param address the address, bare
     * @param policy its policy
     * @param largestRecord the longest message the storage takes
     */
    record Target(String address, EffectivePolicy policy, long largestRecord) {
        long mostBytes() {
            return Math.min(largestRecord, MOST_BYTES) - RESERVE;
        }
    }

    /**
     * Where a message comes from.
     *
     * @param protocol that it arrived by; empty if it did not just arrive
     * @param user whom the broker authenticated, or null
     * @param before where it was before, with the policy there, if it was anywhere
     */
    record Source(String protocol, @Nullable String user, Optional<Target> before) {}

    /** Whether this message was made right for this address before. */
    static boolean isFoundRight(Message message, String address) {
        return address.equals(message.getUserContext(FOUND_RIGHT));
    }

    /**
     * Leaves the message sealed as its target wants it.
     *
     * @throws RefusedException if that cannot be
     */
    void apply(Message message, Source source, Target target, OpenHome home) throws RefusedException {
        if (message.isLargeMessage()) {
            throw new RefusedException("large messages are not protected yet: send at most " + target.mostBytes()
                    + " bytes and keep the client from making the message large");
        }
        MessageBody body = MessageBodies.of(message, source.protocol(), target.mostBytes());
        if (body.clearsRetained() || isSealed(body, source, target, home.protector())) {
            counters.countPassed();
        } else if (target.policy().policy().acceptance().where() == SealingPlace.CLIENT) {
            throw new RefusedException(
                    "the policy wants messages sealed by their producer, found none of its envelopes");
        } else {
            seal(body, source, target, home);
            counters.countSealed();
        }
        message.setUserContext(FOUND_RIGHT, target.address());
    }

    private static boolean isSealed(MessageBody body, Source source, Target target, Protector protector) {
        Optional<byte[]> envelope = body.possibleEnvelope();
        if (envelope.isEmpty()) {
            return false;
        }
        return protector.satisfies(envelope.get(), target.address(), target.policy())
                || source.before()
                        .filter(before -> protector.satisfies(envelope.get(), before.address(), before.policy()))
                        .isPresent();
    }

    private static void seal(MessageBody body, Source source, Target target, OpenHome home) throws RefusedException {
        BodyContent content = body.content();
        ClearMessage clear = new ClearMessage(
                target.address(), content.body(), content.payload(), source.user(), content.properties());
        requireFits((long) body.bytesAround() + content.payload().length, target);
        Identity signer = home.identities().signerFor(source.user());
        byte[] envelope = home.protector().seal(clear, target.policy(), signer);
        requireFits((long) body.bytesAround() + envelope.length, target);
        body.replace(envelope);
    }

    /** Looked at before sealing, which would be in vain, and after it, when the size is known. */
    private static void requireFits(long bytes, Target target) throws RefusedException {
        if (bytes > target.mostBytes()) {
            throw new RefusedException("too large to be protected: " + bytes + " bytes, at most " + target.mostBytes()
                    + " fit into the journal");
        }
    }
}
