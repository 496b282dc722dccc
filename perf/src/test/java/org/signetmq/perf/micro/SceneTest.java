/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.Opener;
import org.signetmq.envelope.Sealer;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target.Verdict;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

final class SceneTest {
    @Tag(Tier.LONG)
    @Test
    void sizes_areWithinTheBars() throws Exception {
        List<Result> sizes = Scene.addedBytes();

        assertThat(sizes)
                .hasSize(10)
                .extracting(row -> row.text("name"))
                .contains("size.confidentiality.p256", "size.privacy.referenced.rsa2048");
        assertThat(new MicroReport(List.of(), sizes).targets())
                .filteredOn(target -> target.name().startsWith("size."))
                .hasSize(3)
                .allMatch(target -> target.verdict() == Verdict.MET);
    }

    @Test
    void sealedPayload_isOpenedByTheFirstRecipient() throws Exception {
        Variant variant = new Variant(QualityOfProtection.PRIVACY, Reuse.NONE, KeyKind.P256);
        byte[] payload = Payload.ofSize(256);
        try (Scene scene = new Scene(variant, 3, CertificateInclusion.INCLUDED);
                Sealer sealer = scene.sealer(PregenerationSettings.OFF);
                Opener opener = scene.opener(1)) {
            byte[] envelope = scene.sealing(sealer, payload).get();

            assertThat(opener.open(envelope, Scene.ADDRESS).payload()).isEqualTo(payload);
        }
    }

    @Test
    void signedPayload_isOpenedWithoutKeys() throws Exception {
        Variant variant = new Variant(QualityOfProtection.INTEGRITY, Reuse.NONE, KeyKind.RSA2048);
        byte[] payload = Payload.ofSize(256);
        try (Scene scene = new Scene(variant, 1, CertificateInclusion.INCLUDED);
                Sealer sealer = scene.sealer(PregenerationSettings.OFF);
                Opener opener = scene.opener(0)) {
            byte[] envelope = scene.sealing(sealer, payload).get();

            assertThat(opener.open(envelope, Scene.ADDRESS).payload()).isEqualTo(payload);
        }
    }
}
