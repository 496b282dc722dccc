/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.perf.micro.MicroBenchmark.Task;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

@Tag(Tier.LONG)
final class MicroBenchmarkTest {
    private final MicroBenchmark benchmark = new MicroBenchmark();

    @AfterEach
    void clean() {
        benchmark.clean();
    }

    @ParameterizedTest
    @CsvSource({
        "warm,INTEGRITY,P256",
        "warm,PRIVACY,RSA2048",
        "warm,CONFIDENTIALITY,P256",
        "cold,INTEGRITY,RSA2048",
        "cold,PRIVACY,RSA2048"
    })
    void opening_opensAgainAndAgain(String keys, QualityOfProtection quality, KeyKind key) throws Exception {
        benchmark.operation = "open";
        benchmark.keys = keys;
        benchmark.quality = quality;
        benchmark.key = key;
        Task task = prepared();

        for (int i = 0; i < 300; i++) {
            assertThat(benchmark.measure(task))
                    .isInstanceOfSatisfying(
                            OpenedMessage.class,
                            opened -> assertThat(opened.payload()).isEqualTo(Payload.ofSize(2048)));
        }
    }

    @Test
    void sealing_givesAnEnvelopeOfItsPayload() throws Exception {
        benchmark.keys = "2";
        benchmark.size = 256;
        benchmark.recipients = 2;

        assertThat((byte[]) benchmark.measure(prepared())).hasSizeBetween(257, 2048);
    }

    @Test
    void primitive_isCalled_withoutASealer() throws Exception {
        benchmark.operation = "limit.aes256gcm.encrypt";
        benchmark.size = 256;

        assertThat(benchmark.measure(prepared())).isEqualTo(256 + 16);
    }

    @Test
    void unknownOperation_isRejected() {
        benchmark.operation = "shout";

        assertThatIllegalArgumentException().isThrownBy(benchmark::prepare).withMessageContaining("shout");
    }

    @Test
    void taskThatIsNotPrepared_fails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> benchmark.measure(new Task()))
                .withMessage("benchmark: not prepared");
    }

    @Tag(Tier.LONG)
    @Test
    void coldMessage_costsAnUnwrap_whenItComesRoundAgainToo() throws Exception {
        Variant variant = new Variant(QualityOfProtection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);
        try (Scene scene = new Scene(variant, 1, CertificateInclusion.INCLUDED);
                Opener opener = scene.opener(1)) {
            Callable<Object> opening =
                    MicroBenchmark.opening(opener, MicroBenchmark.sealedByMany(scene, Payload.ofSize(256)));
            int opens = MicroBenchmark.FORGOTTEN + MicroBenchmark.FORGOTTEN / 2;
            for (int i = 0; i < opens; i++) {
                opening.call();
            }
            assertThat(opener.unwraps()).isEqualTo(opens);
        }
    }

    private Task prepared() throws Exception {
        benchmark.prepare();
        Task task = new Task();
        task.prepare(benchmark);
        return task;
    }
}
