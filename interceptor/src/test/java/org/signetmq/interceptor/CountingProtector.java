/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.signetmq.envelope.EnvelopeChain;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.SenderRule;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.home.Protector;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;

/** The real protector, counted, or failing on demand. */
final class CountingProtector implements Protector.Factory {
    final AtomicInteger calls = new AtomicInteger();

    /** What the protector was told last to keep keys of. */
    volatile PolicySet retained = PolicySet.EMPTY;

    private final Supplier<? extends Throwable> failure;

    private CountingProtector(Supplier<? extends Throwable> failure) {
        this.failure = failure;
    }

    static CountingProtector working() {
        return new CountingProtector(() -> null);
    }

    static CountingProtector failingWith(Supplier<? extends Throwable> failure) {
        return new CountingProtector(failure);
    }

    @Override
    public Protector create(
            RecipientDirectory certificates, CertificateTrust trust, PregenerationSettings pregeneration) {
        Protector real = Protector.cms(certificates, trust, pregeneration);
        return new Protector() {
            @Override
            public byte[] seal(ClearMessage message, EffectivePolicy policy, Identity signer) {
                called();
                return real.seal(message, policy, signer);
            }

            @Override
            public SegmentSealer segments(
                    ClearMessage head, EffectivePolicy policy, Identity signer, SegmentSealer.Sink sink) {
                called();
                return real.segments(head, policy, signer, sink);
            }

            @Override
            public EnvelopeChain chain(String address, EffectivePolicy policy, SenderRule senders) {
                calls.incrementAndGet();
                return real.chain(address, policy, senders);
            }

            @Override
            public boolean satisfies(byte[] bytes, String address, EffectivePolicy policy, SenderRule senders) {
                calls.incrementAndGet();
                return real.satisfies(bytes, address, policy, senders);
            }

            @Override
            public void retain(PolicySet policies) {
                retained = policies;
                real.retain(policies);
            }

            @Override
            public long dryTakes() {
                return real.dryTakes();
            }

            @Override
            public void close() {
                real.close();
            }
        };
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
