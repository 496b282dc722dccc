/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.experiment;

import static org.signetmq.perf.result.Bar.atMost;

import java.util.List;
import org.signetmq.perf.micro.MicroRun;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Pick;

/** Single operations: bare primitives, sealing and opening, and those of other systems. */
public final class MicroExperiment {
    private static final String SEAL = "seal.confidentiality.32.p256";

    private MicroExperiment() {}

    /**
     * Returns the experiment.
     *
     * @param peers the jar of other systems; empty for none
     * @param rows matches the names of the operations that are measured
     */
    public static Experiment of(String peers, String rows) {
        return new Experiment(
                "micro",
                "Single operations: bare primitives, sealing, opening",
                "",
                new MicroRun(peers, rows)::measure,
                List.of(
                        times(4, SEAL, "limit.aes256gcm.encrypt"),
                        times(5, "seal.confidentiality.32.rsa2048", "limit.aes256gcm.encrypt"),
                        times(4, "open.confidentiality.warm.p256", "limit.aes256gcm.decrypt"),
                        times(1.4, "seal.privacy.0.p256", "limit.p256.sign"),
                        times(1.3, "open.privacy.warm.p256", "limit.p256.verify"),
                        times(1.3, "seal.integrity.0.p256", "limit.p256.sign"),
                        times(1.01, SEAL, "seal.confidentiality.unlimited.p256"),
                        times(1, SEAL, "peer.pulsar.seal.32"),
                        times(0.1, SEAL, "peer.aws.seal.32"),
                        times(0.1, "open.confidentiality.warm.p256", "peer.aws.open.warm"),
                        times(0.05, "seal.confidentiality.0.p256", "peer.bc-cms.seal.0"),
                        atMost(3 * 2048, SEAL + ": bytes allocated", micro("bytes_allocated", SEAL)),
                        added(550, "confidentiality.32.p256"),
                        added(1_000, "privacy.p256 referenced"),
                        added(1_350, "privacy.p256 included")),
                List.of(),
                null);
    }

    private static Pick micro(String column, String name) {
        return Pick.of(column, "setting", name, "clients", 1);
    }

    private static Bar times(double most, String name, String other) {
        return atMost(most, "time of " + name + " / " + other, micro("us", name).over(micro("us", other)));
    }

    private static Bar added(int most, String setting) {
        return atMost(most, "bytes added to 2048: " + setting, Pick.of("bytes_added", "setting", setting));
    }
}
