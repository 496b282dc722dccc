/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.crl;

import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.jspecify.annotations.Nullable;

/**
 * The certificates whose absence from a list proves something (RFC 5280 section 5.2.5).
 *
 * @param complete whether the list has all reasons and no unknown limit
 * @param authorities whether it has issuers
 * @param others whether it has other certificates
 * @param points the addresses of this part of a list in several parts; empty for a whole list
 */
record ListScope(boolean complete, boolean authorities, boolean others, Set<String> points) {
    private static final ListScope WHOLE = new ListScope(true, true, true, Set.of());

    static ListScope of(@Nullable Extensions extensions) {
        if (extensions == null) {
            return WHOLE;
        }
        boolean known = true;
        for (ASN1ObjectIdentifier critical : extensions.getCriticalExtensionOIDs()) {
            known &= critical.equals(Extension.issuingDistributionPoint);
        }
        // a delta list has changes alone, critical or not
        known &= extensions.getExtension(Extension.deltaCRLIndicator) == null;
        Extension extension = extensions.getExtension(Extension.issuingDistributionPoint);
        return extension == null
                ? new ListScope(known, true, true, Set.of())
                : of(IssuingDistributionPoint.getInstance(extension.getParsedValue()), known);
    }

    private static ListScope of(IssuingDistributionPoint part, boolean known) {
        boolean complete = known
                && !part.isIndirectCRL()
                && !part.onlyContainsAttributeCerts()
                && part.getOnlySomeReasons() == null;
        Set<String> points = new HashSet<>();
        DistributionPointName name = part.getDistributionPoint();
        if (name != null && name.getType() == DistributionPointName.FULL_NAME) {
            for (GeneralName each : GeneralNames.getInstance(name.getName()).getNames()) {
                if (each.getTagNo() == GeneralName.uniformResourceIdentifier) {
                    points.add(each.getName().toString());
                }
            }
        }
        boolean named = name == null || !points.isEmpty();
        return new ListScope(
                complete && named, !part.onlyContainsUserCerts(), !part.onlyContainsCACerts(), Set.copyOf(points));
    }

    boolean covers(X509Certificate certificate, Set<String> named) {
        boolean authority = certificate.getBasicConstraints() >= 0;
        return complete && (authority ? authorities : others) && (points.isEmpty() || meets(named));
    }

    private boolean meets(Set<String> named) {
        return points.stream().anyMatch(named::contains);
    }
}
