/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.io.IOException;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.DistinguishedName;

/**
 * Applies the name constraints of all issuers in a path (RFC 5280 section 4.2.1.10). The JDK's path validation does not
 * apply those of the trusted certificate.
 */
final class NameConstraintCheck {
    private static final String EXTENSION = "2.5.29.30";

    private static final String ALTERNATIVE_NAMES = "2.5.29.17";

    /** The kinds of names that the JDK can compare. */
    private static final Set<Integer> COMPARABLE = Set.of(
            GeneralName.rfc822Name,
            GeneralName.dNSName,
            GeneralName.directoryName,
            GeneralName.uniformResourceIdentifier,
            GeneralName.iPAddress);

    private NameConstraintCheck() {}

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
        List<List<List<String>>> excluded = excludedDirectories(constraints);
        X509CertSelector selector = new X509CertSelector();
        try {
            selector.setNameConstraints(constraints);
        } catch (IOException malformed) {
            throw unreadable(issuer);
        }
        for (int i = 0; i < issued.size(); i++) {
            X509Certificate member = issued.get(i);
            boolean exempt = i > 0 && IssuerRules.isSelfIssued(member); // RFC 5280 section 6.1.3 (b)
            if (!exempt && (!allows(selector, member) || isBelow(excluded, member))) {
                throw CertificateRules.untrusted(member, "its names are not those that an issuer of it may give");
            }
        }
    }

    /** Returns the excluded names, normalised, because the JDK distinguishes the string types of a value. */
    private static List<List<List<String>>> excludedDirectories(byte[] constraints) {
        GeneralSubtree[] excluded = NameConstraints.getInstance(constraints).getExcludedSubtrees();
        return excluded == null
                ? List.of()
                : Stream.of(excluded)
                        .map(GeneralSubtree::getBase)
                        .filter(base -> base.getTagNo() == GeneralName.directoryName)
                        .map(base -> DistinguishedName.foldedOrder(X500Name.getInstance(base.getName())))
                        .toList();
    }

    private static boolean isBelow(List<List<List<String>>> directories, X509Certificate member) {
        if (directories.isEmpty()) {
            return false;
        }
        return directoryNames(member)
                .anyMatch(name -> directories.stream()
                        .anyMatch(directory -> name.size() >= directory.size()
                                && name.subList(0, directory.size()).equals(directory)));
    }

    private static Stream<List<List<String>>> directoryNames(X509Certificate member) {
        Stream<List<List<String>>> subject = Stream.of(DistinguishedName.foldedOrder(
                X500Name.getInstance(member.getSubjectX500Principal().getEncoded())));
        byte[] extension = member.getExtensionValue(ALTERNATIVE_NAMES);
        if (extension == null) {
            return subject;
        }
        GeneralNames names =
                GeneralNames.getInstance(ASN1OctetString.getInstance(extension).getOctets());
        return Stream.concat(
                subject,
                Stream.of(names.getNames())
                        .filter(name -> name.getTagNo() == GeneralName.directoryName)
                        .map(name -> DistinguishedName.foldedOrder(X500Name.getInstance(name.getName()))));
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
            if (Stream.of(constraints.getPermittedSubtrees(), constraints.getExcludedSubtrees())
                    .flatMap(subtrees -> subtrees == null ? Stream.empty() : Stream.of(subtrees))
                    .allMatch(NameConstraintCheck::isComparable)) {
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
        return CertificateRules.untrusted(issuer, "has name constraints of a kind that Signet cannot compare");
    }
}
