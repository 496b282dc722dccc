/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.QualityOfProtection;

final class EnvelopeBenchmarkTest {
    @ParameterizedTest
    @CsvSource({
        "warm,INTEGRITY,P256",
        "warm,PRIVACY,RSA2048",
        "warm,CONFIDENTIALITY,P256",
        "cold,INTEGRITY,RSA2048",
        "cold,PRIVACY,RSA2048"
    })
    void opening_opensAgainAndAgain(String operation, QualityOfProtection quality, KeyKind key) throws Exception {
        EnvelopeBenchmark benchmark = new EnvelopeBenchmark();
        benchmark.operation = operation;
        benchmark.quality = quality;
        benchmark.key = key;
        benchmark.size = 2048;
        benchmark.prepare();
        try {
            for (int i = 0; i < 300; i++) {
                assertThat(benchmark.measure())
                        .isInstanceOfSatisfying(
                                OpenedMessage.class,
                                opened -> assertThat(opened.payload()).isEqualTo(Payload.ofSize(2048)));
            }
        } finally {
            benchmark.clean();
        }
    }

    @Test
    void sealing_givesAnEnvelopeOfItsPayload() throws Exception {
        EnvelopeBenchmark benchmark = new EnvelopeBenchmark();
        benchmark.reuse = "2";
        benchmark.size = 256;
        benchmark.recipients = 2;
        benchmark.prepare();
        try {
            assertThat((byte[]) benchmark.measure()).hasSizeGreaterThan(256);
        } finally {
            benchmark.clean();
        }
    }

    @Test
    void unknownOperation_isRefused() {
        EnvelopeBenchmark benchmark = new EnvelopeBenchmark();
        benchmark.operation = "shout";

        assertThatIllegalArgumentException().isThrownBy(benchmark::prepare).withMessageContaining("shout");
        benchmark.clean();
    }

    @Test
    void coldMessage_costsAnUnwrap_whenItComesRoundAgainToo() throws Exception {
        Variant variant = new Variant(QualityOfProtection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);
        try (Scene scene = new Scene(variant, 1, CertificateInclusion.INCLUDED);
                Opener opener = scene.opener()) {
            Callable<Object> opening =
                    EnvelopeBenchmark.inTurn(opener, EnvelopeBenchmark.sealedByMany(scene, Payload.ofSize(256)));
            int opens = EnvelopeBenchmark.FORGOTTEN + EnvelopeBenchmark.FORGOTTEN / 2;
            for (int i = 0; i < opens; i++) {
                opening.call();
            }
            assertThat(opener.unwraps()).isEqualTo(opens);
        }
    }
}
