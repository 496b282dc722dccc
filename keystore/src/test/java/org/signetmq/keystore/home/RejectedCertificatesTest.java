/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.home.TrustSnapshot.RejectedCertificates;

final class RejectedCertificatesTest {
    private final CertificateRejectedException untrusted =
            new CertificateRejectedException(Reason.UNTRUSTED, "not trusted");

    private final RejectedCertificates rejected = new RejectedCertificates();

    @Test
    void rejections_areForgottenWhenThereAreMany() {
        for (int i = 0; i <= RejectedCertificates.MAX_ENTRIES; i++) {
            rejected.remember(key(i), untrusted, NOW);
        }

        assertThat(rejected.size()).isEqualTo(RejectedCertificates.MAX_ENTRIES);
        assertThat(rejected.find(key(0), NOW)).isEmpty();
        assertThat(rejected.find(key(1), NOW)).isPresent();
    }

    @Test
    void rejection_isForgottenAfterAWhile() {
        rejected.remember(key(1), untrusted, NOW);

        assertThat(rejected.find(
                        key(1), NOW.plus(RejectedCertificates.REMEMBERED).minusNanos(1)))
                .hasValueSatisfying(found -> {
                    assertThat(found.reason()).isEqualTo(Reason.UNTRUSTED);
                    assertThat(found).hasMessage("not trusted");
                });
        assertThat(rejected.find(key(1), NOW.plus(RejectedCertificates.REMEMBERED)))
                .isEmpty();
    }

    @Test
    void longText_isCut() {
        rejected.remember(key(1), new CertificateRejectedException(Reason.REVOKED, "x".repeat(100_000)), NOW);

        assertThat(rejected.find(key(1), NOW))
                .hasValueSatisfying(found -> assertThat(found.getMessage()).hasSize(RejectedCertificates.MAX_TEXT));
    }

    private static ByteBuffer key(int number) {
        return ByteBuffer.allocate(4).putInt(0, number);
    }
}
