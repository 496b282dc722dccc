/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.signetmq.keystore.CertificateRejectedException.Reason;

/**
 * The keys and signatures that an administrator accepts in certificates. It can only be stricter than {@link KeyRules}.
 * Immutable.
 *
 * @param leastRsaBits the least length of an RSA key
 * @param curves the names of the curves of EC keys
 * @param signatures the names of the algorithms of certificates' signatures
 */
public record KeyPolicy(int leastRsaBits, Set<String> curves, Set<String> signatures) {
    /** The policy that accepts all that {@link KeyRules} accepts. */
    public static final KeyPolicy DEFAULT = new KeyPolicy(
            KeyRules.MIN_RSA_BITS, Set.copyOf(KeyRules.CURVES.values()), Set.copyOf(KeyRules.signatureNames()));

    public KeyPolicy {
        curves = Set.copyOf(curves);
        signatures = Set.copyOf(signatures);
    }

    /**
     * Rejects a path with a member that the policy does not accept. The trusted end proves nothing by its signature.
     */
    public void require(List<X509Certificate> path) {
        if (equals(DEFAULT)) {
            return; // the rules of paths have checked it
        }
        for (int i = 0; i < path.size(); i++) {
            X509Certificate member = path.get(i);
            requireKey(member);
            boolean signed = i < path.size() - 1;
            String signature = KeyRules.signatureName(KeyRules.structure(member).getSignatureAlgorithm());
            if (signed && !signatures.contains(signature)) {
                throw CertificateRules.untrusted(
                        member, "it is signed with " + signature + ", which trust.json does not allow");
            }
        }
    }

    private void requireKey(X509Certificate member) {
        SubjectPublicKeyInfo key = KeyRules.structure(member).getSubjectPublicKeyInfo();
        int bits = KeyRules.rsaBits(key);
        if (bits > 0 && bits < leastRsaBits) {
            throw CertificateRules.rejected(
                    Reason.UNSUPPORTED_KEY,
                    member,
                    "its RSA key has " + bits + " bits, and trust.json asks for at least " + leastRsaBits);
        }
        if (key.getAlgorithm().getParameters() instanceof ASN1ObjectIdentifier curve
                && !curves.contains(KeyRules.CURVES.get(curve))) {
            throw CertificateRules.rejected(
                    Reason.UNSUPPORTED_KEY, member, "its key is on a curve that trust.json does not allow");
        }
    }
}
