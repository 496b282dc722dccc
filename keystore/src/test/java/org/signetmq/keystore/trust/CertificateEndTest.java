/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.x509.CertificateForge;

final class CertificateEndTest {
    private static final Instant END = Instant.parse("2027-01-31T00:00:00Z");

    @Test
    void end_isNearWithin30Days_andPastAfterIt() {
        assertThat(before(Duration.ofDays(30)).isNear()).isFalse();
        assertThat(before(Duration.ofDays(30).minusSeconds(1)).isNear()).isTrue();
        assertThat(before(Duration.ZERO).isPast()).isFalse();
        assertThat(before(Duration.ofSeconds(-1)).isPast()).isTrue();
        assertThat(before(Duration.ofSeconds(-1)).isNear()).isTrue();
    }

    @Test
    void inWords_hasTheDaysOrHoursThatAreLeft_orTheEndAlone() {
        assertThat(before(Duration.ofHours(47)).inWords()).startsWith("ends in 47 hours, at ");
        assertThat(before(Duration.ofMinutes(119)).inWords()).startsWith("ends in 1 hour, at ");
        assertThat(before(Duration.ofMinutes(59)).inWords()).startsWith("ends in less than an hour, at ");
        assertThat(before(Duration.ofHours(49)).inWords()).isEqualTo("ends in 2 days, at 2027-01-31T00:00:00Z");
        assertThat(before(Duration.ofHours(-49)).inWords()).isEqualTo("ended at 2027-01-31T00:00:00Z");
    }

    @Test
    void certificateWithSuccessor_isLeftOut() {
        Recipient old = certificate("CN=root", END);
        Recipient successor = certificate("CN=root", END.plusSeconds(1));
        Recipient other = certificate("CN=other", END.minusSeconds(1));

        assertThat(CertificateEnd.withoutSuccessor(List.of(old, successor, other)))
                .containsExactly(successor, other);
        assertThat(CertificateEnd.of(old.certificate(), END)).isEqualTo(new CertificateEnd(END, END));
    }

    private static CertificateEnd before(Duration left) {
        return new CertificateEnd(END, END.minus(left));
    }

    private static Recipient certificate(String dn, Instant end) {
        return new Recipient("file", CertificateForge.of(dn).until(end).make().certificate());
    }
}
