/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.io.IOException;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.signetmq.keystore.CertificateRejectedException.Reason;

/**
 * Applies the name constraints of all issuers in a path (RFC 5280 section 4.2.1.10), those of the trusted one too. The
 * JDK's path validation leaves that one out.
 */
final class PathNames {
    private static final String EXTENSION = "2.5.29.30";

    /** The kinds of names that the JDK can compare. */
    private static final Set<Integer> COMPARABLE = Set.of(
            GeneralName.rfc822Name,
            GeneralName.dNSName,
            GeneralName.directoryName,
            GeneralName.uniformResourceIdentifier,
            GeneralName.iPAddress);

    private PathNames() {}

    static void require(List<X509Certificate> path) {
        for (int i = path.size() - 1; i > 0; i--) {
            X509Certificate issuer = path.get(i);
            byte[] extension = issuer.getExtensionValue(EXTENSION);
            if (extension != null) {
                require(path.subList(0, i), issuer, constraints(issuer, extension));
            }
        }
    }

    private static void require(List<X509Certificate> issued, X509Certificate issuer, byte[] constraints) {
        X509CertSelector selector = new X509CertSelector();
        try {
            selector.setNameConstraints(constraints);
        } catch (IOException malformed) {
            throw unreadable(issuer);
        }
        for (int i = 0; i < issued.size(); i++) {
            X509Certificate member = issued.get(i);
            boolean exempt = i > 0 && IssuerRules.isSelfIssued(member); // RFC 5280 section 6.1.3 (b)
            if (!exempt && !allows(selector, member)) {
                throw CertificateRules.rejected(
                        Reason.UNTRUSTED, member, "its names are not those that an issuer of it may give");
            }
        }
    }

    private static boolean allows(X509CertSelector selector, X509Certificate member) {
        try {
            return selector.match(member);
        } catch (RuntimeException incomparable) {
            return false;
        }
    }

    private static byte[] constraints(X509Certificate issuer, byte[] extension) {
        try {
            byte[] encoded = ASN1OctetString.getInstance(extension).getOctets();
            NameConstraints constraints = NameConstraints.getInstance(encoded);
            boolean comparable = Stream.of(constraints.getPermittedSubtrees(), constraints.getExcludedSubtrees())
                    .flatMap(subtrees -> subtrees == null ? Stream.empty() : Stream.of(subtrees))
                    .allMatch(PathNames::isComparable);
            if (comparable) {
                return encoded;
            }
        } catch (RuntimeException malformed) {
            throw unreadable(issuer);
        }
        throw unreadable(issuer);
    }

    private static boolean isComparable(GeneralSubtree subtree) {
        return COMPARABLE.contains(subtree.getBase().getTagNo())
                && subtree.getMinimum().signum() == 0
                && subtree.getMaximum() == null;
    }

    private static CertificateRejectedException unreadable(X509Certificate issuer) {
        return CertificateRules.rejected(
                Reason.UNTRUSTED, issuer, "has name constraints of a kind that Signet cannot compare");
    }
}
