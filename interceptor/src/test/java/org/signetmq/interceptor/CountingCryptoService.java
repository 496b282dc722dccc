/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.signetmq.envelope.BodyReplacement;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.SenderRule;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.home.CryptoService;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.PregenerationSettings;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;

/** Makes a real {@link CryptoService} that counts its calls, or fails on demand. */
final class CountingCryptoService implements CryptoService.Factory {
    final AtomicInteger calls = new AtomicInteger();

    /** The policies of the last call of {@link CryptoService#retain}. */
    volatile PolicySet retained = PolicySet.EMPTY;

    private final Supplier<? extends Throwable> failure;

    private CountingCryptoService(Supplier<? extends Throwable> failure) {
        this.failure = failure;
    }

    static CountingCryptoService working() {
        return new CountingCryptoService(() -> null);
    }

    static CountingCryptoService failingWith(Supplier<? extends Throwable> failure) {
        return new CountingCryptoService(failure);
    }

    @Override
    public CryptoService create(
            RecipientDirectory certificates, CertificateTrust trust, PregenerationSettings pregeneration) {
        return new Counted(certificates, trust, pregeneration);
    }

    private final class Counted extends CryptoService {
        Counted(RecipientDirectory certificates, CertificateTrust trust, PregenerationSettings pregeneration) {
            super(certificates, trust, pregeneration);
        }

        @Override
        public byte[] seal(ClearMessage message, EffectivePolicy policy, Identity signer) {
            called();
            return super.seal(message, policy, signer);
        }

        @Override
        public void seal(ClearMessage head, BodyReplacement body, EffectivePolicy policy, Identity signer) {
            called();
            super.seal(head, body, policy, signer);
        }

        @Override
        public SegmentSealer segments(
                ClearMessage head, EffectivePolicy policy, Identity signer, SegmentSealer.Sink sink) {
            called();
            return super.segments(head, policy, signer, sink);
        }

        @Override
        public EnvelopeChain chain(String address, EffectivePolicy policy, SenderRule senders) {
            calls.incrementAndGet();
            return super.chain(address, policy, senders);
        }

        @Override
        public boolean satisfies(byte[] bytes, String address, EffectivePolicy policy, SenderRule senders) {
            calls.incrementAndGet();
            return super.satisfies(bytes, address, policy, senders);
        }

        @Override
        public EnvelopeChain require(byte[] bytes, String address, EffectivePolicy policy, SenderRule senders) {
            calls.incrementAndGet();
            return super.require(bytes, address, policy, senders);
        }

        @Override
        public void retain(PolicySet policies) {
            retained = policies;
            super.retain(policies);
        }
    }

    private void called() {
        calls.incrementAndGet();
        Throwable thrown = failure.get();
        if (thrown instanceof RuntimeException runtime) {
            throw runtime;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
    }
}
