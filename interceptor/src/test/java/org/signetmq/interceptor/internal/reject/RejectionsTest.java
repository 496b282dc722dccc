/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.reject;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQAddressFullException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.home.Readiness.NotReadyException;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;

final class RejectionsTest {
    static Stream<Arguments> failures() {
        ActiveMQException ofCopy = new ActiveMQSecurityException("copy");
        ofCopy.initCause(new MessageRejectedException(RejectionReason.TOO_LARGE, "copy"));
        return Stream.of(
                Arguments.of(new MessageRejectedException("body"), RejectionReason.UNPROTECTABLE),
                Arguments.of(
                        new MessageRejectedException(RejectionReason.NO_POLICY, "none"), RejectionReason.NO_POLICY),
                Arguments.of(new NotReadyException("stopped"), RejectionReason.NOT_READY),
                Arguments.of(
                        new CertificateRejectedException(CertificateRejectedException.Reason.EXPIRED, "expired"),
                        RejectionReason.CERTIFICATE),
                Arguments.of(new KeystoreUnusableException("unknown"), RejectionReason.KEY),
                Arguments.of(new AddressMismatchException("other"), RejectionReason.ADDRESS_MISMATCH),
                Arguments.of(new NotARecipientException("other"), RejectionReason.RECIPIENT),
                Arguments.of(new PolicyViolationException("weak"), RejectionReason.POLICY_VIOLATION),
                Arguments.of(new SenderMismatchException("other"), RejectionReason.SENDER),
                Arguments.of(new SignerNotAuthorizedException("other"), RejectionReason.SIGNER),
                Arguments.of(new MalformedEnvelopeException("cut off"), RejectionReason.ENVELOPE),
                Arguments.of(new ActiveMQSecurityException("no"), RejectionReason.NO_PERMISSION),
                Arguments.of(new ActiveMQAddressFullException("full"), RejectionReason.BROKER),
                Arguments.of(ofCopy, RejectionReason.TOO_LARGE),
                Arguments.of(new StackOverflowError(), RejectionReason.INTERNAL));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failure_hasItsReason(Throwable problem, RejectionReason reason) {
        assertThat(Rejections.reasonOf(problem)).isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/var/lib/signet/trust: others may write to it; run: chmod go-w /var/lib/signet/trust",
                "identity 'broker': no file /home/b/identities/broker.p12",
                "'/var/lib/a b': cannot be listed",
                "home: no folder C:\\signet",
                "home: no folder C:/signet",
                "home: no folder \\\\server\\share",
                "(/etc/passwd)",
                "asks http://ocsp.example.com/a in the background; /etc/passwd",
                "http:///etc/passwd",
                "http:/etc/passwd"
            })
    void textWithAPath_isNotTold(String text) {
        assertThat(Rejections.withoutPath(text)).isEqualTo(Rejections.WITHOUT_PATH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no policy covers the address",
                "no certificate named 'alice' in recipients/",
                "certificate of CN=alice, serial number 0a:1b: expired on 2026-01-01T00:00:00Z",
                "the certificate 'trust/root' may not issue others",
                "Signet asks http://127.0.0.1:8080/ca.crl and http://[::1]/ocsp in the background",
                "wildcards: delimiter \".\", but broker.xml has delimiter \"/\"; run signet policy wildcards --delimiter '/'"
            })
    void textWithoutAPath_isTold(String text) {
        assertThat(Rejections.withoutPath(text)).isEqualTo(text);
    }
}
