/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.PolicyResolver;
import org.signetmq.interceptor.internal.protect.ProtectionRequest;
import org.signetmq.interceptor.internal.protect.SizeLimit;

/** Judges messages that already lie in queues. Thread-safe. */
public final class BacklogJudge {
    private final PolicyResolver resolver;
    private final MessageSealer sealer;
    private final LongSupplier largestRecord;

    BacklogJudge(PolicyResolver resolver, MessageSealer sealer, LongSupplier largestRecord) {
        this.resolver = resolver;
        this.sealer = sealer;
        this.largestRecord = largestRecord;
    }

    /**
     * Returns whether this message lies in a queue of this address in clear, though a policy protects the address.
     *
     * @throws MessageRejectedException if the message is in clear and cannot be sealed
     */
    public boolean isSealable(Message message, SimpleString address) throws MessageRejectedException {
        Optional<ProtectionRequest> request = resolver.ofUnjudged(message, address);
        if (request.isEmpty() || MessageSealer.isProtected(message)) {
            return false;
        }
        if (message.isLargeMessage()) {
            throw new MessageRejectedException("large: consume it and send it again, or let it expire");
        }
        // the copy keeps the message as it is: a message that cannot be sealed stays
        Message copy = message.copy(message.getMessageID(), true);
        return sealer.trySealing(copy, request.get(), SizeLimit.inJournal(largestRecord.getAsLong()));
    }
}
