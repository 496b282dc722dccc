/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import org.signetmq.envelope.internal.entity.EntityReader;
import org.signetmq.envelope.internal.entity.HeaderWriter;
import org.signetmq.envelope.internal.recipient.RecipientInfoCache;
import org.signetmq.keystore.crypto.ContentCipher;
import org.signetmq.keystore.crypto.CryptoProviders;

/** The buffers and ciphers for one message, reused for the next. For one thread at a time. */
public final class CodecBuffers implements AutoCloseable {
    /** The length of the largest buffer that is kept, in bytes. */
    private static final int MOST_KEPT = 2 << 20;

    private static final int RANDOM_BLOCK = 1024;

    /** Spare bytes, because the next message may be a little longer. */
    private static final int SPARE = 4096;

    public final ContentCipher cipher;
    public final MessageDigest digest = CryptoProviders.digest("SHA-512");
    public final HeaderWriter header = new HeaderWriter();
    public final EntityReader entities = new EntityReader();
    public final RecipientInfoCache known = new RecipientInfoCache();

    private final OperationBudget budget = new OperationBudget();

    private final SecureRandom random;
    private final byte[] randomBlock = new byte[RANDOM_BLOCK];
    private int randomUsed = RANDOM_BLOCK;
    private byte[] input = new byte[SPARE];
    private byte[] output = new byte[SPARE];

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

    /** Returns a buffer of at least this length, with old content. */
    public byte[] input(int length) {
        if (length > MOST_KEPT) {
            return new byte[length];
        }
        if (input.length < length) {
            input = new byte[length + SPARE];
        }
        return input;
    }

    /** Returns another buffer of at least this length, with old content. */
    public byte[] output(int length) {
        if (length > MOST_KEPT) {
            return new byte[length];
        }
        if (output.length < length) {
            output = new byte[length + SPARE];
        }
        return output;
    }

    @Override
    public void close() {
        cipher.close();
        digest.reset();
        Arrays.fill(input, (byte) 0);
        Arrays.fill(output, (byte) 0);
    }
}
