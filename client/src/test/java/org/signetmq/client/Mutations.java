/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import static org.assertj.core.api.Assertions.fail;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.testkit.Tier;

/** Feeds a decoder with bodies that are nearly right. It may read or reject them, and do nothing else. */
public final class Mutations {
    private static final int ROUNDS = 20_000;

    private Mutations() {}

    public static void everyTruncation(byte[] valid, Consumer<byte[]> decoder) {
        for (int length = 0; length < valid.length; length++) {
            attempt(Arrays.copyOf(valid, length), decoder, "length " + length);
        }
    }

    public static void random(byte[] valid, Consumer<byte[]> decoder) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < Tier.rounds(ROUNDS); round++) {
            byte[] mutated = valid.clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
            }
            attempt(mutated, decoder, "seed " + seed + ", round " + round);
        }
    }

    private static void attempt(byte[] bytes, Consumer<byte[]> decoder, String which) {
        try {
            decoder.accept(bytes);
        } catch (MalformedEnvelopeException expected) {
            return; // the only documented failure
        } catch (Throwable e) {
            fail(which, e);
        }
    }
}
