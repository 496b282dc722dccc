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
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SenderMismatchException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.home.NotReadyException;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;

final class ReasonOfTest {
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
        assertThat(ReasonOf.failure(problem)).isEqualTo(reason);
    }
}
