/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.ReplayedException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.exception.UnprotectedMessageException;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.KeystoreUnusableException;

/** The reasons why a message cannot be opened. */
public enum OpenFailure {
    /** The body is not a valid envelope, or its content breaks the format. */
    MALFORMED(MalformedEnvelopeException.class),
    /** A signature or authentication tag does not fit: the message was changed. */
    AUTHENTICATION_FAILED(AuthenticationFailedException.class),
    /** The message is encrypted for others. */
    NOT_A_RECIPIENT(NotARecipientException.class),
    /** The signer's certificate is expired, not yet valid, revoked, unknown or not meant for signing. */
    SIGNER_REJECTED(SignerRejectedException.class),
    /** The signer is trusted but not on the policy's list. */
    SIGNER_NOT_AUTHORIZED(SignerNotAuthorizedException.class),
    /** The message was sealed for another address. */
    ADDRESS_MISMATCH(AddressMismatchException.class),
    /** The envelope is valid, but does not satisfy the policy of its address. */
    POLICY_VIOLATION(PolicyViolationException.class),
    /** A message with the same identifier was opened before, within the replay window of the policy. */
    REPLAYED(ReplayedException.class),
    /** The message is in clear, but the policy requires protection. */
    UNPROTECTED(UnprotectedMessageException.class),
    /** The consumer's own keys, certificates or policies cannot be read or used. */
    KEYSTORE(KeystoreUnusableException.class, CertificateRejectedException.class),
    /** A defect or a lack of memory. */
    INTERNAL;

    @SuppressWarnings("ImmutableEnumChecker") // the list is unmodifiable
    private final List<Class<?>> causes;

    OpenFailure(Class<?>... causes) {
        this.causes = List.of(causes);
    }

    /** Returns the name in metrics and in the properties of a message in quarantine: lower case with hyphens. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the reason that an exception stands for. */
    public static OpenFailure of(Throwable cause) {
        return Arrays.stream(values())
                .filter(failure -> failure.causes.stream().anyMatch(type -> type.isInstance(cause)))
                .findFirst()
                .orElse(INTERNAL);
    }
}
