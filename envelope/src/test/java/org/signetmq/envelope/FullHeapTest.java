/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.signetmq.envelope.internal.cms.DigestPool.Sha256;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.PendingCacheEntries;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.open.DataKeyFinder;
import org.signetmq.envelope.internal.open.DataKeyFinder.OpenedDataKey;
import org.signetmq.envelope.internal.signature.SignerCertificates;
import org.signetmq.envelope.internal.signature.SignerCertificates.SignerCertificate;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.VerifyingKey;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;

/** The heap is full when a cache is about to keep what a message brought: nothing of the message stays. */
final class FullHeapTest {
    @RegisterExtension
    static Parties parties = new Parties();

    private static final class FullHeap extends PendingCacheEntries {
        @Override
        public synchronized void add(Runnable forget) {
            throw new OutOfMemoryError("by a test");
        }
    }

    @Test
    void dataKey_isUnwrappedAgain() throws Exception {
        Identity bob = parties.identity("bob");
        PolicySet policies = Parties.policies(Policy.confidentiality(
                Parties.ADDRESS, List.of("bob"), new KeyLimits(2, 1 << 20, KeyLimits.DEFAULT_AGE)));
        ClearMessage message = Parties.text(new byte[10]);
        ParsedEnvelope.Encrypted envelope =
                (ParsedEnvelope.Encrypted) EnvelopeParser.parse(Slice.of(parties.seal(message, policies, bob)));
        try (DataKeyFinder opening = new DataKeyFinder(IdentitySource.of(List.of(bob)), CryptoProviders.standard())) {
            assertThatThrownBy(() -> {
                        try (OpenedDataKey key = opening.find(envelope, new OperationBudget())) {
                            key.accept(new FullHeap());
                        }
                    })
                    .isInstanceOf(OutOfMemoryError.class);
            long unwraps = opening.unwraps();

            opening.find(envelope, new OperationBudget()).close();

            assertThat(opening.unwraps()).isGreaterThan(unwraps);
        }
    }

    @Test
    void certificate_isNotKept() throws Exception {
        Identity bob = parties.identity("bob");
        SignerCertificates certificates =
                new SignerCertificates(parties.home.recipientDirectory(), CryptoProviders.standard());

        assertThatThrownBy(() -> certificates.remember(carried(bob), new FullHeap()::add))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(certificates.kept()).isZero();
        assertThat(certificates.bytesKept()).isZero();
    }

    /** The rejection of a message removes what it brought, and not the same certificate of another message. */
    @Test
    void certificateOfARejectedMessage_isForgotten_andThatOfAnotherMessageIsNot() throws Exception {
        Identity bob = parties.identity("bob");
        SignerCertificates certificates =
                new SignerCertificates(parties.home.recipientDirectory(), CryptoProviders.standard());
        List<Runnable> undo = new ArrayList<>();

        certificates.remember(carried(bob), undo::add);
        undo.forEach(Runnable::run);

        assertThat(certificates.kept()).isZero();
        assertThat(certificates.bytesKept()).isZero();

        certificates.remember(carried(bob), kept -> {});
        undo.forEach(Runnable::run);
        certificates.remember(carried(bob), undo::add);
        undo.forEach(Runnable::run);

        assertThat(certificates.kept()).isOne();
        assertThat(certificates.bytesKept()).isEqualTo(500);
    }

    private static SignerCertificate carried(Identity signer) {
        return SignerCertificate.of(
                signer.certificate(),
                VerifyingKey.of(signer.certificate().getPublicKey(), CryptoProviders.standard()),
                Sha256.of(Slice.of(new byte[1])),
                500);
    }
}
