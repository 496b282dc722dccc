/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.time.Clock;
import org.signetmq.envelope.ClearMessage;
import org.signetmq.envelope.EnvelopeCheck;
import org.signetmq.envelope.Sealer;
import org.signetmq.keystore.CertificateTrust;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.PregenerationSettings;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.policy.EffectivePolicy;

/** All the cryptography that the plugin asks for. One per broker. Thread-safe. */
interface Protector extends AutoCloseable {
    /** Makes a protector that works with these certificates. */
    @FunctionalInterface
    interface Factory {
        Protector create(RecipientDirectory certificates, CertificateTrust trust, PregenerationSettings pregeneration);
    }

    /** See {@link Sealer#seal}. */
    byte[] seal(ClearMessage message, EffectivePolicy policy, Identity signer);

    /** See {@link EnvelopeCheck#satisfies}. */
    boolean satisfies(byte[] bytes, String address, EffectivePolicy policy);

    /** See {@link Sealer#dryTakes}. */
    long dryTakes();

    @Override
    void close();

    /** CMS envelopes. */
    static Protector cms(RecipientDirectory certificates, CertificateTrust trust, PregenerationSettings pregeneration) {
        Sealer sealer = Sealer.create(certificates, trust, Clock.systemUTC(), pregeneration);
        EnvelopeCheck check = EnvelopeCheck.create(certificates, trust);
        return new Protector() {
            @Override
            public byte[] seal(ClearMessage message, EffectivePolicy policy, Identity signer) {
                return sealer.seal(message, policy, signer);
            }

            @Override
            public boolean satisfies(byte[] bytes, String address, EffectivePolicy policy) {
                return check.satisfies(bytes, address, policy);
            }

            @Override
            public long dryTakes() {
                return sealer.dryTakes();
            }

            @Override
            public void close() {
                sealer.close();
            }
        };
    }
}
