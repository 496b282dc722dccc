/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.digest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.signetmq.envelope.Sealer;
import org.signetmq.envelope.SegmentSealer;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.epoch.PregenerationSettings;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;

/**
 * Signet's own way, by the code of {@code signet message seal}: a thread reads segments of 1 MiB, two threads seal
 * them, and the caller takes the envelopes.
 */
final class SignetWays implements AutoCloseable {
    private static final String ADDRESS = "digest";

    private final Sealer sealer;
    private final Identity identity;

    /** Makes a key in a home of its own in this folder. */
    SignetWays(Path folder) throws IOException {
        Home home = new Home(folder.resolve("home"));
        try (Password password = Password.takeOwnershipOf("benchmark".toCharArray())) {
            identity = home.identityStore()
                    .create(new IdentityRequest(ADDRESS, "CN=" + ADDRESS, KeyAlgorithm.EC_P256, null), password);
        }
        sealer = Sealer.create(
                home.recipientDirectory(), home.certificateTrust(), Clock.systemUTC(), PregenerationSettings.OFF);
    }

    /** Returns the way for other work: nothing is sealed, and the caller works on each segment. */
    Way unsealed() {
        Policy signing = Policy.integrity(ADDRESS);
        return way(new Policy(
                ADDRESS, QualityOfProtection.NONE, signing.signing(), signing.encryption(), signing.acceptance()));
    }

    /** Returns the way that encrypts each segment; the caller's work is on envelopes. */
    Way sealed() {
        return way(Policy.confidentiality(ADDRESS, List.of(identity.name()), KeyLimits.DEFAULT));
    }

    private Way way(Policy policy) {
        EffectivePolicy effective = PolicySet.of(1, UnmatchedAddress.PASS, List.of(policy))
                .find(ADDRESS)
                .orElseThrow();
        return (in, work) -> transfer(in, effective, work);
    }

    private void transfer(InputStream in, EffectivePolicy policy, Work work) throws IOException {
        ClearMessage head = ClearMessage.of(ADDRESS, ClearMessage.Body.BYTES, new byte[0]);
        try (SegmentSealer segments = sealer.segments(head, policy, identity, work::on)) {
            segments.transferFrom(in, written -> {});
        }
    }

    @Override
    public void close() {
        sealer.close();
    }
}
