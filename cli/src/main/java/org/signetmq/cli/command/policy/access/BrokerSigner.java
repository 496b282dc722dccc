/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.signetmq.policy.Policy;
import org.signetmq.policy.SealingPlace;

/**
 * Finds policies of a home under which its broker may not sign. A broker has the identity {@code broker} unless its
 * configuration names another one, so a home without it has none. A running broker judges by its own identity.
 */
public final class BrokerSigner {
    private static final String BROKER = "broker";
    private static final int MOST = 20;

    /** The remedy for each problem. */
    public static final String REMEDY =
            "add '" + BROKER + "' with signet policy add-signer, or set --where client if producers seal";

    private BrokerSigner() {}

    /** Returns a line for each of these policies under which the broker of a home may not sign, at most twenty. */
    public static List<String> problems(Home home, List<Policy> policies, Instant now) {
        List<Policy> listing =
                policies.stream().filter(BrokerSigner::listsSigners).toList();
        if (listing.isEmpty() || !home.identityStore().names().contains(BROKER)) {
            return List.of();
        }
        CertificateTrust trust = home.certificateTrust();
        TrustedCertificate broker = certificate(home, trust, now);
        if (broker == null) {
            return List.of();
        }
        SignerMatch match = new SignerMatch(home.recipientDirectory(), trust);
        List<String> lines = new ArrayList<>();
        int left = 0;
        for (Policy policy : listing) {
            if (policy.signing().signers().stream().noneMatch(selector -> match.matches(broker, selector))) {
                if (lines.size() < MOST) {
                    lines.add(policy.pattern() + ": a broker of this home rejects messages in clear: its identity '"
                            + BROKER + "' is none of the signers");
                } else {
                    left++;
                }
            }
        }
        if (left > 0) {
            lines.add("the same of " + left + " more policies");
        }
        return lines;
    }

    /** Whether the broker signs by a policy, and only names that are known now may sign. */
    private static boolean listsSigners(Policy policy) {
        List<String> signers = policy.signing().signers();
        return policy.quality().signs()
                && policy.acceptance().where() != SealingPlace.CLIENT
                && !signers.isEmpty()
                && signers.stream().noneMatch(Policy::isByAddress);
    }

    private static @Nullable TrustedCertificate certificate(Home home, CertificateTrust trust, Instant now) {
        try {
            return home.recipientDirectory()
                    .find(BROKER)
                    .map(own -> trust.verify(own.certificate(), List.of(), CertificateUse.SIGNING, now))
                    .orElse(null);
        } catch (CertificateRejectedException | KeystoreUnusableException unusable) { // doctor tells it
            return null;
        }
    }
}
