/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.write;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateRejectedException.Reason;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.trust.TrustedCertificate;

/** A home with one reader, at a time that a test sets. */
abstract class HomeTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path folder;

    final AtomicLong nanoTime = new AtomicLong();
    Home home = new Home(Path.of("unset"));
    HomeReader trust = new HomeReader(home, nanoTime::get);

    @BeforeEach
    void openHome() {
        home = new Home(folder);
        trust = new HomeReader(home, nanoTime::get);
    }

    /** Trusts the first certificate of a party. */
    final void trust(String name, Party party) {
        write(home.trust(), name + ".pem", party.certificate());
    }

    final void looksAgain() {
        nanoTime.addAndGet(Duration.ofSeconds(2).toNanos());
    }

    final TrustedCertificate accepted(X509Certificate certificate) {
        return trust.verify(certificate, List.of(), CertificateUse.SIGNING, NOW);
    }

    final void assertAccepted(X509Certificate certificate, X509Certificate... others) {
        assertAccepted(certificate, List.of(others));
    }

    final void assertAccepted(X509Certificate certificate, Collection<X509Certificate> others) {
        assertThatCode(() -> trust.check(certificate, others, CertificateUse.SIGNING, NOW))
                .doesNotThrowAnyException();
    }

    final Reason reason(X509Certificate certificate, X509Certificate... others) {
        return reason(certificate, List.of(others));
    }

    final Reason reason(X509Certificate certificate, Collection<X509Certificate> others) {
        return rejected(certificate, others, CertificateUse.SIGNING, NOW).reason();
    }

    final Reason receiving(X509Certificate certificate) {
        return rejected(certificate, List.of(), CertificateUse.RECEIVING, NOW).reason();
    }

    final CertificateRejectedException rejected(X509Certificate certificate) {
        return rejected(certificate, List.of(), CertificateUse.SIGNING, NOW);
    }

    final CertificateRejectedException rejected(
            X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
        var rejected = catchThrowableOfType(
                CertificateRejectedException.class, () -> trust.check(certificate, others, use, at));
        assertThat(rejected).as("rejection").isNotNull();
        return rejected;
    }

    /** Asserts that a call is rejected with a text that has these parts. */
    static void assertUnusable(ThrowableAssert.ThrowingCallable call, String... parts) {
        var rejection = assertThatThrownBy(call).isInstanceOf(KeystoreUnusableException.class);
        for (String part : parts) {
            rejection.hasMessageContaining(part);
        }
    }
}
