/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.EffectivePolicy;

/** Times sealing by the broker's keys and opening by the consumer's, on one thread and without a broker. */
final class Stopwatch implements AutoCloseable {
    private static final int MOST_TIMED = 200;
    private static final double NANOS_PER_MICRO = 1000;

    private final DemoHomes homes;
    private final Sealer sealer;
    private final Opener opener;

    Stopwatch(DemoHomes homes) {
        this.homes = homes;
        this.sealer = Sealer.create(
                homes.broker().home().recipientDirectory(),
                homes.broker().home().certificateTrust());
        Home home = homes.consumer().home();
        Opener.Keys keys = new Opener.Keys(
                List.of(homes.consumer().identity()), home.recipientDirectory(), home.certificateTrust());
        this.opener = Opener.create(keys, homes::policies);
    }

    /** Seals and opens up to 200 of the payloads. The first calls warm up. */
    Report.Timing time(Lane lane, List<String> payloads) {
        EffectivePolicy policy = homes.policies()
                .find(lane.address())
                .orElseThrow(() -> new IllegalStateException("policy: none for " + lane.address()));
        List<ClearMessage> messages = payloads.stream()
                .limit(MOST_TIMED)
                .map(text ->
                        ClearMessage.of(lane.address(), ClearMessage.Body.TEXT, text.getBytes(StandardCharsets.UTF_8)))
                .toList();
        long start = System.nanoTime();
        List<byte[]> envelopes = messages.stream()
                .map(message -> sealer.seal(message, policy, homes.broker().identity()))
                .toList();
        long sealed = System.nanoTime();
        envelopes.forEach(envelope -> opener.open(envelope, lane.address()));
        long opened = System.nanoTime();
        double unit = NANOS_PER_MICRO * messages.size();
        return new Report.Timing((sealed - start) / unit, (opened - sealed) / unit);
    }

    @Override
    public void close() {
        sealer.close();
        opener.close();
    }
}
