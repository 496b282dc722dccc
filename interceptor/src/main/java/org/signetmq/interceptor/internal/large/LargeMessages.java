/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.large;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.message.LargeBodyReader;
import org.apache.activemq.artemis.core.persistence.StorageManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.LargeServerMessage;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SenderRule;
import org.signetmq.interceptor.internal.body.AmqpLargeBody;
import org.signetmq.interceptor.internal.body.RefusedException;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.interceptor.internal.protect.Order;
import org.signetmq.interceptor.internal.protect.Protection;
import org.signetmq.interceptor.internal.storage.BrokerField;
import org.signetmq.interceptor.internal.storage.StorageGate;
import org.signetmq.interceptor.internal.storage.StorageMethods;
import org.signetmq.interceptor.internal.stream.Nowhere;
import org.signetmq.interceptor.internal.stream.Refusing;
import org.signetmq.interceptor.internal.stream.SealedOrClear;

/**
 * The protection of large messages, which the broker writes to a file before it asks any plugin: as long as the storage
 * of its sessions can be put behind one that seals, they are protected; else they are refused.
 */
public final class LargeMessages implements AutoCloseable {
    private static final int READ_AT_ONCE = 64 << 10;

    /** What the broker adds to a message's size for its record, generously. */
    private static final int ESTIMATED_TRAIL = 1 << 10;

    /** As connections of Core clients name their protocol. */
    private static final String CORE = "CORE";

    private static final String NOT_FROM_OTHERS =
            "; clients of other protocols than Core are refused, for it would write their large messages in clear";

    private final ActiveMQServer server;
    private final Intakes intakes;
    private final StorageGate.Gate gate;
    private final AmqpLargeSealing.Sealing early;
    private final CoreLargeRefusal.Judge judge;
    private @Nullable SealingStorage installed; // guarded by this
    private @Nullable AutoCloseable sealingEarly; // guarded by this
    private volatile @Nullable String problem = "the broker has not started";
    private volatile boolean coreAlone;
    private volatile @Nullable StorageManager real;
    private volatile long largeFrom = Long.MAX_VALUE;

    /**
     * What stands between sessions and their storage.
     *
     * @param intakes seal large messages on their way
     * @param gate judges messages that no entrance judged
     */
    public record Storage(ActiveMQServer server, Intakes intakes, StorageGate.Gate gate) {}

    /**
     * Nothing is protected yet.
     *
     * @param early seals AMQP messages before they become large
     * @param judge says what must not be written where it cannot be sealed
     */
    public LargeMessages(Storage storage, AmqpLargeSealing.Sealing early, CoreLargeRefusal.Judge judge) {
        this.server = storage.server();
        this.intakes = storage.intakes();
        this.gate = storage.gate();
        this.early = early;
        this.judge = judge;
    }

    /** Puts the storage of all sessions to come behind one that seals; to be called when the broker has loaded. */
    public synchronized void install() {
        if (installed != null) {
            return;
        }
        try {
            BrokerField<StorageManager> field = BrokerField.of(server, StorageManager.class);
            StorageManager storage = StorageGate.unwrapped(field.get());
            StorageMethods methods = StorageMethods.of(StorageManager.class);
            if (methods.problem().isPresent()) {
                throw new RefusedException(methods.problem().get());
            }
            if (!SealingStorage.canSeal(storage)) {
                throw new RefusedException("the broker runs without persistence");
            }
            SealingStorage sealing = new SealingStorage(storage, methods, gate, intakes);
            field.set(sealing.proxy());
            installed = sealing;
            real = storage;
            problem = null;
            largeFrom = sealing.proxy().getMaxRecordSize() - ESTIMATED_TRAIL;
            sealingEarly = sealEarly();
        } catch (Throwable e) { // whatever it is: nobody may believe that large messages are protected
            problem = (e instanceof RefusedException ? String.valueOf(e.getMessage()) : e.toString())
                    + (isWritten() ? NOT_FROM_OTHERS : "");
            refuseBeforeItIsWritten();
            PluginLog.LOG.error("Signet refuses large messages to protected addresses: {}", problem);
        }
    }

    /** Whether large messages go into files. */
    private boolean isWritten() {
        return SealingStorage.canSeal(server.getStorageManager());
    }

    /** Of other protocols nobody can tell in time that a message is large: they are not let in at all. */
    private void refuseBeforeItIsWritten() {
        if (isWritten()) {
            coreAlone = true;
            largeFrom = server.getStorageManager().getMaxRecordSize() - ESTIMATED_TRAIL;
            CoreLargeRefusal refusing = new CoreLargeRefusal(server, judge);
            server.getRemotingService().addIncomingInterceptor(refusing);
            sealingEarly = () -> server.getRemotingService().removeIncomingInterceptor(refusing);
        }
    }

    /**
     * Refuses a client whose large messages would be written in clear.
     *
     * @throws RefusedException if this is one
     */
    public void requireHarmless(RemotingConnection connection) throws RefusedException {
        String protocol = connection.getProtocolName();
        if (coreAlone && protocol != null && !protocol.equals(CORE)) {
            throw new RefusedException("clients of " + protocol + " are refused: " + problem);
        }
    }

    private @Nullable AutoCloseable sealEarly() {
        try {
            return AmqpLargeSealing.install(server, early);
        } catch (LinkageError noAmqp) {
            return null;
        }
    }

    /** Whether a session will make a large message of this one, which is in memory. */
    public boolean makesLarge(Message message) {
        return message.getEncodeSize() > largeFrom;
    }

    /** The message that this thread is about to send has no policy: it is made large as without the plugin. */
    public void letPass() {
        intakes.letPass();
    }

    /** Why large messages are refused, or null. */
    @Nullable
    public String problem() {
        return problem;
    }

    /** The longest record that the journal takes, of which some is kept free for what sealing adds. */
    public long largestRecord() {
        StorageManager storage = real;
        return (storage == null ? server.getStorageManager() : storage).getMaxRecordSize();
    }

    /** Gives a message its file, of which what came is still held, as of one that nothing is to be done to. */
    public void writeIfHeld(Message message) throws Exception {
        HeldBody held = message instanceof LargeServerMessage ? HeldBody.of(message) : null;
        if (held != null) {
            held.write((LargeServerMessage) message, intakes.syncs());
        }
    }

    /** Gives a Core message from another broker its file, sealed. */
    public void writeSealed(HeldBody held, LargeServerMessage message, Order order) throws Exception {
        intakes.writeHeld(message, held, order);
    }

    /** Gives a message its file, of other bytes than came. */
    public void write(byte[] bytes, HeldBody held, LargeServerMessage message) throws Exception {
        held.write(bytes, message, intakes.syncs());
    }

    /**
     * Looks at a large message that nobody saw on its way into its file, such as a copy that a divert made.
     *
     * @throws RefusedException if it is in clear
     */
    public void requireSealed(LargeServerMessage message, Order order) throws Exception {
        String why = problem;
        if (why != null) {
            throw new RefusedException("large messages cannot be protected: " + why);
        }
        Optional<Protection.Target> before = order.source().before();
        if (!isSealed(message, envelopes(order, order.target(), order.source().senders()))
                && (before.isEmpty() || !isSealed(message, envelopes(order, before.get(), SenderRule.ANY)))) {
            throw new RefusedException("a large message that was not sealed on its way in");
        }
        Protection.markFoundRight(message.toMessage(), order.target().address());
    }

    private static SealedOrClear.Envelopes envelopes(Order order, Protection.Target target, SenderRule senders) {
        return SealedOrClear.Envelopes.of(order.home().protector().chain(target.address(), target.policy(), senders));
    }

    /** Whether the file of a message is these envelopes, and nothing else. */
    static boolean isSealed(LargeServerMessage message, SealedOrClear.Envelopes envelopes) throws Exception {
        SealedOrClear judge = new SealedOrClear(envelopes, new Nowhere(), new Refusing(""));
        try (judge;
                LargeBodyReader reader = message.getLargeBodyReader()) {
            reader.open();
            if (!goToBytes(message.toMessage(), reader)) {
                return false;
            }
            byte[] part = new byte[READ_AT_ONCE];
            for (int read = reader.readInto(ByteBuffer.wrap(part));
                    read > 0;
                    read = reader.readInto(ByteBuffer.wrap(part))) {
                judge.add(part, 0, read);
            }
            judge.finish();
            return judge.wasSealed();
        } catch (RefusedException notSealed) {
            return false;
        }
    }

    private static boolean goToBytes(Message message, LargeBodyReader reader) throws Exception {
        if (message instanceof ICoreMessage core) {
            return core.getType() == Message.BYTES_TYPE;
        }
        return AmqpLargeBody.isOf(message) && AmqpLargeBody.goToBytes(message, reader);
    }

    /** The protocols say how long the body was in clear. */
    public static void correctSize(Message message) throws Exception {
        if (message instanceof LargeServerMessage large && message instanceof ICoreMessage) {
            Long size = large.getLargeBody().getBodySize();
            if (!size.equals(message.getObjectProperty(Message.HDR_LARGE_BODY_SIZE))) {
                message.putLongProperty(Message.HDR_LARGE_BODY_SIZE, size);
            }
        }
    }

    /** Takes no large message any more. The storage stays as it is, since sessions may still be there. */
    @Override
    public synchronized void close() {
        problem = "the plugin has stopped";
        intakes.close();
        closeEarly();
    }

    /** Gives sessions to come the real storage again, as of a plugin that is taken out of a running broker. */
    public synchronized void uninstall() {
        intakes.remove();
        coreAlone = false;
        SealingStorage sealing = installed;
        installed = null;
        if (sealing != null) {
            try {
                BrokerField<StorageManager> field = BrokerField.of(server, StorageManager.class);
                if (field.get() == sealing.proxy()) {
                    field.set(sealing.real());
                }
            } catch (Throwable e) {
                PluginLog.LOG.warn("the storage of sessions stays behind one that no longer seals", e);
            }
        }
    }

    private void closeEarly() {
        try {
            if (sealingEarly != null) {
                sealingEarly.close();
            }
        } catch (Exception e) {
            PluginLog.LOG.warn("an interceptor stays that no longer seals", e);
        }
        sealingEarly = null;
    }
}
