/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.EffectivePolicy;

/** Times sealing by the broker's keys and opening by the consumer's, on one thread and without a broker. */
final class Stopwatch implements AutoCloseable {
    private static final int MOST_TIMED = 200;
    private static final double NANOS_PER_MICRO = 1000;

    private final Identity signer;
    private final Sealer sealer;
    private final Opener opener;

    Stopwatch(DemoHome broker, DemoHome consumer) {
        Home sealing = broker.home();
        Home opening = consumer.home();
        this.signer = broker.identity();
        this.sealer = Sealer.create(sealing.recipientDirectory(), sealing.certificateTrust());
        Opener.Keys keys =
                new Opener.Keys(List.of(consumer.identity()), opening.recipientDirectory(), opening.certificateTrust());
        this.opener = Opener.create(keys, () -> DemoHome.POLICIES);
    }

    /** Microseconds to seal and to open a message, on average. */
    record Timing(double sealMicros, double openMicros) {}

    /** Seals and opens up to 200 of the payloads. The first calls warm up. */
    Timing time(Lane lane, List<String> payloads) {
        EffectivePolicy policy = DemoHome.POLICIES.find(lane.address()).orElseThrow();
        List<ClearMessage> messages = payloads.stream()
                .limit(MOST_TIMED)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .map(body -> ClearMessage.of(lane.address(), ClearMessage.Body.TEXT, body))
                .toList();
        long start = System.nanoTime();
        List<byte[]> envelopes = messages.stream()
                .map(message -> sealer.seal(message, policy, signer))
                .toList();
        long sealed = System.nanoTime();
        envelopes.forEach(envelope -> opener.open(envelope, lane.address()));
        long opened = System.nanoTime();
        double unit = NANOS_PER_MICRO * messages.size();
        return new Timing((sealed - start) / unit, (opened - sealed) / unit);
    }

    @Override
    public void close() {
        sealer.close();
        opener.close();
    }
}
