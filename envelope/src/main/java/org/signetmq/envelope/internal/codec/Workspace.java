/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.codec;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import org.signetmq.envelope.internal.entity.EntityReader;
import org.signetmq.envelope.internal.entity.HeaderWriter;
import org.signetmq.envelope.internal.recipient.KnownRecipients;
import org.signetmq.keystore.crypto.ContentCipher;
import org.signetmq.keystore.crypto.CryptoProviders;

/** What one thread needs to seal or open one message, kept for the next. For one thread at a time. */
public final class Workspace implements AutoCloseable {

    /** Larger buffers are not kept. */
    private static final int MOST_KEPT = 2 << 20;

    private static final int RANDOM_BLOCK = 1024;

    /** Buffers are longer by this than what they are made for: the next message may be a little longer. */
    private static final int SPARE = 4096;

    public final ContentCipher cipher = new ContentCipher();
    public final MessageDigest digest = CryptoProviders.standard().sha512();
    public final HeaderWriter header = new HeaderWriter();
    public final EntityReader entities = new EntityReader();
    public final KnownRecipients known = new KnownRecipients();

    private final OperationBudget budget = new OperationBudget();

    private final SecureRandom random = CryptoProviders.standard().random();
    private final byte[] randomBlock = new byte[RANDOM_BLOCK];
    private int randomUsed = RANDOM_BLOCK;
    private byte[] input = new byte[SPARE];
    private byte[] output = new byte[SPARE];

    /** 128 random bits. Drawn in blocks: asking the generator costs more than what it gives. */
    public byte[] newMessageId() {
        if (randomUsed == RANDOM_BLOCK) {
            random.nextBytes(randomBlock);
            randomUsed = 0;
        }
        randomUsed += HeaderWriter.MESSAGE_ID_LENGTH;
        return Arrays.copyOfRange(randomBlock, randomUsed - HeaderWriter.MESSAGE_ID_LENGTH, randomUsed);
    }

    /** What one message in one envelope may cost. */
    public OperationBudget budget() {
        budget.beginMessage();
        return budget;
    }

    /** A buffer of at least this length, of old content. */
    public byte[] input(int length) {
        if (length > MOST_KEPT) {
            return new byte[length];
        }
        if (input.length < length) {
            input = new byte[length + SPARE];
        }
        return input;
    }

    /** Another buffer of at least this length. */
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
