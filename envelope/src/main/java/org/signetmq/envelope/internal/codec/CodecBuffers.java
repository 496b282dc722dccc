/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.HashList;
import org.signetmq.envelope.internal.der.OutputBuffer;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.EntityReader;
import org.signetmq.envelope.internal.entity.HeaderWriter;
import org.signetmq.keystore.keys.ContentCipher;
import org.signetmq.keystore.keys.CryptoProviders;

/** The buffers and ciphers for one message, reused for the next. For one thread at a time. */
public final class CodecBuffers implements AutoCloseable {
    /** The length of the largest buffer that is kept, in bytes. */
    private static final int MOST_KEPT = 2 << 20;

    private static final int RANDOM_BLOCK = 1024;

    private final ContentCipher cipher;
    private final MessageDigest digest = CryptoProviders.digest("SHA-512");
    private final MessageDigest listed = CryptoProviders.digest(HashList.DIGEST);
    private final HeaderWriter header = new HeaderWriter();
    private final EntityReader entities = new EntityReader();
    private final OperationBudget budget = new OperationBudget();
    private final SecureRandom random;
    private final byte[] randomBlock = new byte[RANDOM_BLOCK];
    private int randomUsed = RANDOM_BLOCK;
    private final OutputBuffer input = new OutputBuffer();
    private final OutputBuffer output = new OutputBuffer();

    public CodecBuffers(CryptoProviders providers) {
        this.cipher = new ContentCipher(providers);
        this.random = providers.random();
    }

    /** Returns 128 random bits. They are drawn in blocks, because a call of the generator is expensive. */
    public byte[] newMessageId() {
        if (randomUsed == RANDOM_BLOCK) {
            random.nextBytes(randomBlock);
            randomUsed = 0;
        }
        randomUsed += HeaderWriter.MESSAGE_ID_LENGTH;
        return Arrays.copyOfRange(randomBlock, randomUsed - HeaderWriter.MESSAGE_ID_LENGTH, randomUsed);
    }

    /** Returns the budget of a message in one envelope. */
    public OperationBudget budget() {
        budget.beginMessage();
        return budget;
    }

    public ContentCipher cipher() {
        return cipher;
    }

    /** The header of the message that is sealed. */
    public HeaderWriter header() {
        return header;
    }

    /** Returns the SHA-512 of the header and this payload. */
    public byte[] digest(Slice payload) {
        return digest(digest, payload);
    }

    /** Returns the hash of the header and this payload for the list of a shared signature. */
    public byte[] listedHash(Slice payload) {
        return digest(listed, payload);
    }

    private byte[] digest(MessageDigest by, Slice payload) {
        by.update(header.buffer(), 0, header.length());
        by.update(payload.array(), payload.offset(), payload.length());
        return by.digest();
    }

    /** The reader of the message that is opened. */
    public EntityReader entities() {
        return entities;
    }

    /** Returns a buffer of at least this length, with old content. */
    public byte[] input(int length) {
        return length > MOST_KEPT ? new byte[length] : input.atLeast(length, 0);
    }

    /** Returns another buffer of at least this length, with old content. */
    public byte[] output(int length) {
        return length > MOST_KEPT ? new byte[length] : output.atLeast(length, 0);
    }

    @Override
    public void close() {
        cipher.close();
        digest.reset();
        listed.reset();
        Arrays.fill(input.array(), (byte) 0);
        Arrays.fill(output.array(), (byte) 0);
    }

    /** A pool of buffers. Each thread searches from its own slot, so that threads seldom share. Thread-safe. */
    public static final class CodecBufferPool implements AutoCloseable {
        /** The most buffers that are kept. */
        public static final int SLOTS = 64;

        /**
         * The distance of two slots: two cache lines of the processor, which loads them in pairs. It also separates the
         * slots from the length of the array.
         */
        private static final int APART = 32;

        /** The number of different first slots: one for each thread that runs at once. */
        private static final int BEGINNINGS =
                Math.min(SLOTS, Runtime.getRuntime().availableProcessors());

        private final AtomicReferenceArray<@Nullable CodecBuffers> idle =
                new AtomicReferenceArray<>((SLOTS + 1) * APART);
        private final CryptoProviders providers;
        private volatile boolean closed;

        public CodecBufferPool(CryptoProviders providers) {
            this.providers = providers;
        }

        public CodecBuffers take(String owner) {
            if (closed) {
                throw new IllegalStateException(owner + ": used after close");
            }
            int first = beginning();
            for (int i = 0; i < SLOTS; i++) {
                int slot = slot(first + i);
                if (idle.getOpaque(slot) != null) {
                    CodecBuffers buffers = idle.getAndSet(slot, null);
                    if (buffers != null) {
                        return buffers;
                    }
                }
            }
            return new CodecBuffers(providers);
        }

        public void giveBack(CodecBuffers buffers) {
            int first = beginning();
            for (int i = 0; i < SLOTS; i++) {
                int slot = slot(first + i);
                if (idle.getOpaque(slot) == null && idle.compareAndSet(slot, null, buffers)) {
                    if (closed) {
                        drain();
                    }
                    return;
                }
            }
            buffers.close();
        }

        private static int beginning() {
            return (int) (Thread.currentThread().getId() % BEGINNINGS);
        }

        private static int slot(int number) {
            return (number % SLOTS + 1) * APART;
        }

        public boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            closed = true;
            drain();
        }

        private void drain() {
            for (int i = 0; i < SLOTS; i++) {
                CodecBuffers buffers = idle.getAndSet(slot(i), null);
                if (buffers != null) {
                    buffers.close();
                }
            }
        }
    }
}
