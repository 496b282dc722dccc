/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.gate;

import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.server.RouteContextList;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.reject.Rejections;
import org.signetmq.interceptor.internal.storage.StorageGate;

/**
 * Judges messages immediately before the broker stores them, also messages about which the broker asked no plugin. The
 * gate seals or rejects clear messages to protected addresses, and counts them as unjudged.
 */
final class LastGate implements StorageGate.Gate {
    /** The class of a mirror's transactions, compared by name: a broker may run without the AMQP protocol. */
    private static final String MIRROR_TRANSACTION =
            "org.apache.activemq.artemis.protocol.amqp.connect.mirror.MirrorTransaction";

    private final MessageGate gate;
    private final Rejections rejections;

    LastGate(MessageGate gate, Rejections rejections) {
        this.gate = gate;
        this.rejections = rejections;
    }

    @Override
    public void offered(Message message, @Nullable PagingStore store, @Nullable Transaction transaction)
            throws Exception {
        try {
            if (isMirrored(transaction)) {
                gate.admitMirrored(message);
            }
            if (gate.admit(message, store == null ? null : store.getAddress())) {
                rejections.reportUnjudged(message, "sealed");
            }
        } catch (Throwable e) {
            rejections.reportUnjudged(message, "rejected");
            throw rejections.reject(e, message, null, transaction);
        }
    }

    @Override
    public void routed(Message message, RouteContextList queues) throws Exception {
        try {
            if (MessageSealer.isProtected(message)) {
                ReservedFilters.apply(message, queues);
            }
        } catch (Throwable e) {
            throw rejections.reject(e, message, null, null);
        }
    }

    private static boolean isMirrored(@Nullable Transaction transaction) {
        return transaction != null && transaction.getClass().getName().equals(MIRROR_TRANSACTION);
    }

    @Override
    public void stored(Message message) throws Exception {
        try {
            gate.requireAdmitted(message);
        } catch (Throwable e) {
            rejections.reportUnjudged(message, "rejected");
            throw rejections.reject(e, message, null, null);
        }
    }
}
