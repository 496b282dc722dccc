/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.signetmq.interceptor.internal.body.AmqpBody;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;
import org.signetmq.interceptor.internal.body.CoreBody;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.interceptor.internal.parse.WaitingBytes;
import org.signetmq.interceptor.internal.parse.WorkMemory;
import org.signetmq.interceptor.internal.protect.MessageSealer;
import org.signetmq.interceptor.internal.protect.MessageSealer.ProtectionRequest;
import org.signetmq.interceptor.internal.protect.SizeLimit;

/**
 * Makes sealed copies of large messages that lie in queues, with files of their own. A body of Core goes through memory
 * part by part, one of AMQP as a whole.
 */
public record LargeCopies(BodySealing sealing, StorageManager storage) {
    /**
     * Returns whether a message is in clear.
     *
     * @throws MessageRejectedException if it does not satisfy the policy, and the broker must not seal it
     */
    public static boolean isClear(LargeServerMessage message, ProtectionRequest request) throws Exception {
        if (LargeMessages.isSealed(message, request)) {
            return false;
        }
        MessageSealer.requireClear(StoredBody.isSealed(message, EnvelopeDetectingStage.Envelopes.ALL_BY_FORM), request);
        return true;
    }

    /**
     * Returns a sealed copy, whose file is complete. The message stays as it is.
     *
     * @param id the identifier of the copy
     * @throws MessageRejectedException if the message cannot be sealed
     */
    public Message seal(LargeServerMessage message, long id, ProtectionRequest request) throws Exception {
        requireSealable(message, request);
        return message.toMessage() instanceof CoreMessage
                ? sealCore(message, id, request)
                : sealAmqp(message, id, request);
    }

    /**
     * Seals the copy of a message that the broker moves, before the broker routes it. The copy gets another identifier
     * and file. A backup that copies the files of this broker never sees one file with two contents. The broker deletes
     * the former file of the copy.
     *
     * @throws MessageRejectedException if the message cannot be sealed
     */
    public void sealMoved(LargeServerMessage moved, ProtectionRequest request) throws Exception {
        Message message = moved.toMessage();
        LargeServerMessage former = storage.createCoreLargeMessage();
        former.setMessageID(message.getMessageID());
        former.toMessage().setDurable(message.isDurable());
        long id = storage.generateID();
        WorkMemory.Work part = message instanceof CoreMessage
                ? () -> {}
                : sealing.sealer().memory().take(moved.getLargeBody().getBodySize());
        try (part) {
            Message sealed = seal(moved, id, request);
            moved.getLargeBody().clearFile();
            moved.setMessageID(id);
            try {
                become(moved, (LargeServerMessage) sealed, request);
                MessageSealer.markApproved(message, request.target().address());
            } finally {
                former.deleteFile(); // nothing else refers to it any more
            }
        }
    }

    private static void become(LargeServerMessage moved, LargeServerMessage sealed, ProtectionRequest request)
            throws Exception {
        Message message = moved.toMessage();
        moved.getLargeBody().replaceFile(sealed.getAppendFile());
        moved.getLargeBody().setBodySize(-1); // the broker then asks the file
        if (message instanceof CoreMessage core) {
            BodySealing.label(core);
            request.removeReserved(core);
            CoreBody.remove(core, Set.copyOf(request.hide()));
            LargeMessages.correctSize(core);
        } else {
            AmqpLargeBody.changedTo(bytes(moved), message);
            request.removeReserved(message);
        }
        message.reencode();
    }

    /**
     * Checks what can be known about a message in clear before it is sealed.
     *
     * @throws MessageRejectedException if it cannot be sealed
     */
    public void requireSealable(LargeServerMessage message, ProtectionRequest request) throws Exception {
        if (message.toMessage() instanceof CoreMessage core) {
            requireNoCarrier(core);
        } else {
            SizeLimit.requireNotFarBeyond(
                    request.home().maxMessageSize(), message.getLargeBody().getBodySize());
        }
    }

    /**
     * Checks that a message carries no message of another protocol.
     *
     * @throws MessageRejectedException if it carries one
     */
    static void requireNoCarrier(CoreMessage core) throws MessageRejectedException {
        if (EmbeddedStage.isCarrier(core)) {
            throw new MessageRejectedException("large, and of another protocol within a Core message");
        }
    }

    private Message sealCore(LargeServerMessage message, long id, ProtectionRequest request) throws Exception {
        LargeServerMessage copy = storage.createCoreLargeMessage(id, message.toMessage());
        try {
            CoreMessage sealed = (CoreMessage) copy.toMessage();
            LargeBody body = sealing.stream(sealed, request, new LargeFile(storage, id), WaitingBytes.Space.UNLIMITED);
            BodySealing.label(sealed);
            body.writeWhole(copy, reader -> StoredBody.read(message, reader), sealing.syncs());
            LargeMessages.correctSize(sealed);
            return sealed;
        } catch (Throwable e) {
            copy.deleteFile();
            throw e;
        }
    }

    private Message sealAmqp(LargeServerMessage message, long id, ProtectionRequest request) throws Exception {
        Message copy = amqp(message, id, whole -> {
            boolean unused = sealing.sealer().apply(whole, request, request.limit());
        });
        MessageSealer.markApproved(copy, request.target().address());
        return copy;
    }

    /** A change of the properties of a message. */
    @FunctionalInterface
    public interface Change {
        void to(Message message) throws Exception;
    }

    /** Returns a copy of a large AMQP message with other properties. */
    public Message amqp(LargeServerMessage message, long id, Change change) throws Exception {
        WorkMemory.Work part =
                sealing.sealer().memory().take(message.getLargeBody().getBodySize());
        try (part) {
            Message whole = AmqpBody.whole(message.toMessage(), bytes(message));
            change.to(whole);
            return AmqpLargeBody.copyWith(
                    AmqpLargeBody.bytesOf(whole), message.toMessage(), id, storage, sealing.syncs());
        }
    }

    private static byte[] bytes(LargeServerMessage message) throws Exception {
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.toIntExact(message.getLargeBody().getBodySize()));
        StoredBody.read(message, bytes::put);
        return bytes.array();
    }
}
