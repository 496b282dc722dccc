/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;

final class VariantsTest {
    @Test
    void allCombinations_keepWhatIsComparedTogether() {
        Variants variants = new Variants(
                List.of(
                        QualityOfProtection.CONFIDENTIALITY,
                        QualityOfProtection.PRIVACY,
                        QualityOfProtection.INTEGRITY),
                List.of(new Reuse("32"), Reuse.UNLIMITED),
                List.of(KeyKind.P256, KeyKind.RSA2048));

        assertThat(variants.protecting())
                .extracting(Variant::label)
                .containsExactly(
                        "confidentiality.32.p256",
                        "confidentiality.unlimited.p256",
                        "privacy.0.p256",
                        "integrity.0.p256",
                        "confidentiality.32.rsa2048",
                        "confidentiality.unlimited.rsa2048",
                        "privacy.0.rsa2048",
                        "integrity.0.rsa2048");
    }

    @Test
    void none_isNoVariantOfItsOwn() {
        Variants variants =
                new Variants(List.of(QualityOfProtection.NONE), List.of(Reuse.UNLIMITED), List.of(KeyKind.P256));

        assertThat(variants.protecting()).isEmpty();
    }

    @Test
    void policies_coverTheAddressesOfTheirVariantAlone() {
        Variant limited = new Variant(QualityOfProtection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);
        Variant unlimited = new Variant(QualityOfProtection.CONFIDENTIALITY, Reuse.UNLIMITED, KeyKind.P256);

        PolicySet policies = PolicySet.of(1, UnmatchedAddress.PASS, List.of(limited.policy(), unlimited.policy()));

        assertThat(limits(policies, limited.requestAddress(3)).messages()).isEqualTo(32);
        assertThat(limits(policies, unlimited.replyAddress(80)).messages()).isEqualTo(KeyLimits.MOST_MESSAGES);
        assertThat(policies.find(Variant.UNPROTECTED.requestAddress(0))).isEmpty();
    }

    private static KeyLimits limits(PolicySet policies, String address) {
        Policy policy = policies.find(address).orElseThrow().policy();
        return policy.encryption().limits();
    }

    @Test
    void reuse_isANumberWhereItCanBe() {
        assertThat(new Reuse("32").json()).isEqualTo(32L);
        assertThat(Reuse.UNLIMITED.json()).isEqualTo("unlimited");
        assertThat(new Reuse("0").limits().messages()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> new Reuse("-1")).withMessageContaining("'-1'");
    }
}
