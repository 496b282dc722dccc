/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import java.util.Optional;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.signetmq.envelope.QuarantineNote;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;
import org.signetmq.interceptor.internal.body.ProducerProperties;
import org.signetmq.interceptor.internal.large.LargeCopies;
import org.signetmq.interceptor.internal.large.LargeCopies.Change;
import org.signetmq.interceptor.internal.large.LargeMessages;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.AddressRules;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.MessageSealer.ProtectionRequest;
import org.signetmq.interceptor.internal.protect.PolicyResolver;
import org.signetmq.interceptor.internal.protect.SizeLimit;

/** Judges messages that already lie in queues, and seals copies of them. Thread-safe. */
public record BacklogJudge(PolicyResolver resolver, AddressRules addresses, MessageSealer sealer, LargeMessages large) {
    /**
     * Returns whether this message lies in clear, though a policy protects its address. A message counts as sealed if
     * it satisfies the policy.
     *
     * @param queueAddress the address of its queue
     * @throws MessageRejectedException if the message does not satisfy the policy, and the plugin must not seal it
     */
    public boolean isClear(Message message, SimpleString queueAddress) throws Exception {
        Optional<ProtectionRequest> request = request(message, queueAddress);
        if (request.isEmpty()
                || MessageSealer.isExempt(message, request.get().target().address())) {
            return false;
        }
        return message instanceof LargeServerMessage file
                ? LargeCopies.isClear(file, request.get())
                : sealer.isClear(message, request.get());
    }

    /**
     * Returns whether {@link #sealedCopy} would seal this message. It seals a copy in memory and throws it away. Of a
     * large message it looks at the length alone.
     *
     * @throws MessageRejectedException if the message is in clear and cannot be sealed
     */
    public boolean isSealable(Message message, SimpleString queueAddress) throws Exception {
        Optional<ProtectionRequest> request = request(message, queueAddress);
        if (request.isEmpty() || !isClear(message, queueAddress)) {
            return false;
        }
        if (message instanceof LargeServerMessage file) {
            large.copies().requireSealable(file, request.get());
            return true;
        }
        return sealer.trySealing(message.copy(), request.get(), limit());
    }

    /**
     * Returns a sealed copy of a message with the same expiry. The message stays as it is.
     *
     * @param id the identifier of the copy
     * @throws MessageRejectedException if the message cannot be sealed
     */
    public Message sealedCopy(Message message, long id, SimpleString queueAddress) throws Exception {
        ProtectionRequest request = request(message, queueAddress)
                .orElseThrow(() -> new MessageRejectedException("its address has no policy any more"));
        Message copy = message instanceof LargeServerMessage file
                ? large.copies().seal(file, id, request)
                : sealInMemory(message, id, request);
        resolver.showProtectedOrigin(copy);
        return copy;
    }

    /**
     * Returns a copy of a message in quarantine as it lay at another address, without the properties of its note.
     *
     * @param id the identifier of the copy
     * @throws MessageRejectedException if it does not satisfy the policy there now
     */
    public Message returnedCopy(Message message, long id, SimpleString address) throws Exception {
        if (addresses.isKept(address) || resolver.isQuarantine(address)) {
            throw new MessageRejectedException("its address is one of the broker or a quarantine");
        }
        Optional<ProtectionRequest> request = resolver.ofReturn(address);
        if (request.isPresent()
                && !(message instanceof LargeServerMessage file
                        ? LargeMessages.isSealed(file, request.get())
                        : sealer.isSealed(message, request.get()))) {
            throw new MessageRejectedException(
                    RejectionReason.POLICY_VIOLATION, "it does not satisfy the policy of its address now");
        }
        Object sent = message.getObjectProperty(QuarantineNote.SENT);
        Change note = copy -> {
            if (sent instanceof Long time) {
                copy.setTimestamp(time);
            }
            ProducerProperties.remove(copy);
            copy.removeProperty(SimpleString.of(QuarantineNote.DUPLICATE_ID));
            copy.reencode();
        };
        Message copy;
        if (message instanceof LargeServerMessage file && AmqpLargeBody.isOf(message)) {
            copy = large.copies().amqp(file, id, note);
        } else {
            copy = message.copy(id);
            note.to(copy);
        }
        copy.setAddress(address);
        copy.reencode();
        request.ifPresent(any -> MessageSealer.markApproved(copy, address.toString()));
        return copy;
    }

    private Message sealInMemory(Message message, long id, ProtectionRequest request) throws MessageRejectedException {
        Message copy = message.copy(id);
        if (message.getExpiration() > 0) {
            copy.setExpiration(message.getExpiration());
            copy.reencode(); // the expiry is a part of an encoded AMQP message
        }
        boolean unused = sealer.apply(copy, request, limit());
        return copy;
    }

    private SizeLimit limit() {
        return SizeLimit.inJournal(large.largestRecord());
    }

    /** Returns the request for the message's own address. The address of its queue may be a pattern. */
    private Optional<ProtectionRequest> request(Message message, SimpleString queueAddress)
            throws MessageRejectedException {
        SimpleString address =
                addresses.ofRoute(message.getAddressSimpleString()).orElse(queueAddress);
        return resolver.ofQueued(message, address);
    }
}
