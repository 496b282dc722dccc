/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.signature;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.signetmq.policy.Policy;

/** A cache of the profiles of signers. It rejects a signer if no reader would accept the signature. Thread-safe. */
public final class SignerProfiles {
    private static final int MOST_PROFILES = 1024;

    /** The key of a profile. Identities are compared as objects, so a renewed identity is another one. */
    private record Key(Identity identity, Policy.Signing signing) {}

    private final CertificateTrust trust;
    private final SignerMatch match;
    private final Clock clock;
    private final Map<Key, SignerProfile> profiles = new ConcurrentHashMap<>();

    public SignerProfiles(RecipientDirectory directory, CertificateTrust trust, Clock clock) {
        this.match = new SignerMatch(directory, trust);
        this.trust = trust;
        this.clock = clock;
    }

    public SignerProfile of(Identity identity, Policy policy) {
        X509Certificate certificate = identity.certificate();
        TrustedCertificate trusted =
                trust.verify(certificate, identity.chain(), CertificateUse.SIGNING, clock.instant());
        List<String> allowed = policy.signing().signers();
        if (!allowed.isEmpty() && allowed.stream().noneMatch(selector -> match.matches(trusted, selector))) {
            throw new SignerNotAuthorizedException("policy '" + policy.pattern() + "': identity '" + identity.name()
                    + "' is not on its list of signers " + allowed);
        }
        if (profiles.size() >= MOST_PROFILES) {
            profiles.clear();
        }
        return profiles.computeIfAbsent(
                new Key(identity, policy.signing()), key -> SignerProfile.of(key.identity(), key.signing()));
    }
}
