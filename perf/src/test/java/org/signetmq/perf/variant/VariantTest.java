/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.variant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;

final class VariantTest {
    @Test
    void label_namesQualityReuseAndKey() {
        assertThat(new Variant(QualityOfProtection.PRIVACY, Reuse.NONE, KeyKind.RSA2048).label())
                .isEqualTo("privacy.0.rsa2048");
        assertThat(Variant.UNPROTECTED.label()).isEqualTo("none");
        assertThat(Variant.UNPROTECTED.protects()).isFalse();
    }

    @Test
    void policy_hasQualityRecipientsAndReuse() {
        Variant limited = new Variant(QualityOfProtection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);

        Policy policy = limited.policy("orders.#", List.of("partner"));
        assertThat(policy.quality()).isEqualTo(QualityOfProtection.CONFIDENTIALITY);
        assertThat(policy.encryption().recipients()).containsExactly("partner");
        assertThat(policy.encryption().limits().messages()).isEqualTo(32);
        assertThatIllegalStateException().isThrownBy(() -> Variant.UNPROTECTED.policy("#", List.of()));
    }

    @Test
    void policyOfEachQuality_protectsAsItsVariantSays() {
        Policy privacy = new Variant(QualityOfProtection.PRIVACY, Reuse.NONE, KeyKind.P256)
                .policy("orders.#", List.of("partner", "auditor"));
        Policy integrity = new Variant(QualityOfProtection.INTEGRITY, Reuse.NONE, KeyKind.RSA2048)
                .policy("orders.#", List.of("partner"));

        assertThat(privacy.quality()).isEqualTo(QualityOfProtection.PRIVACY);
        assertThat(privacy.encryption().recipients()).containsExactly("partner", "auditor");
        assertThat(integrity.quality()).isEqualTo(QualityOfProtection.INTEGRITY);
        assertThat(integrity.pattern()).isEqualTo("orders.#");
    }
}
