/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.testkit.Tier;

/** Seals with sixteen threads and checks all envelopes, ten million in the long tier. */
@Timeout(600) // a lost wake-up must not hang the build
final class SealerStressTest {
    private static final int THREADS = 16;
    private static final int EACH = Tier.rounds(Tier.rounds(640_000));
    private static final int REUSE = 32;

    @Test
    void envelopes_16Threads_neverShareKeyAndNonce() throws Exception {
        long[] uses = new long[THREADS * EACH];
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Parties parties = new Parties()) {
            Identity reader = parties.identity("reader");
            KeyLimits limits = new KeyLimits(REUSE, 1L << 40, Duration.ofHours(1));
            EffectivePolicy policy =
                    new EffectivePolicy(Policy.confidentiality(Parties.ADDRESS, List.of(reader.name()), limits), 1);
            Sealer sealer = parties.sealer();
            ClearMessage message = new ClearMessage(
                    Parties.ADDRESS,
                    new ClearMessage.Body(BodyKind.JMS_BYTES, "application/octet-stream"),
                    new byte[64],
                    null,
                    Map.of());
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread * EACH;
                running.add(threads.submit(() -> {
                    for (int i = first; i < first + EACH; i++) {
                        uses[i] = use(sealer.seal(message, policy, reader));
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }

        Arrays.sort(uses);
        for (int i = 1; i < uses.length; i++) {
            if (uses[i] == uses[i - 1]) {
                throw new AssertionError("a nonce came twice under a key: use " + uses[i] % REUSE);
            }
        }
        long keys = Arrays.stream(uses).map(use -> use / REUSE).distinct().count();
        assertThat(keys).isEqualTo(uses.length / REUSE); // so each of them served its 32 messages, and no more
    }

    /** Identifies the use of a key: 58 bits of the wrapped key, and the counter of the nonce. */
    private static long use(byte[] envelope) {
        ParsedEnvelope.Encrypted encrypted = (ParsedEnvelope.Encrypted) EnvelopeParser.parse(Slice.of(envelope));
        RecipientInfo.Agreement recipient =
                (RecipientInfo.Agreement) encrypted.recipients().get(0);
        long key = ByteBuffer.wrap(recipient.keys().get(0).wrapped().copy()).getLong() >>> 6;
        long counter = ByteBuffer.wrap(encrypted.content().nonce().copy()).getLong(Integer.BYTES);
        if (counter < 0 || counter >= REUSE) {
            throw new AssertionError("nonce: counter " + counter);
        }
        return key * REUSE + counter;
    }
}
