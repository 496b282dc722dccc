/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.signetmq.keystore.internal.trust.RevocationUpdater.FetchLimits;

/**
 * The addresses that a certificate names for its state. Addresses of other schemes than {@code http} do not count,
 * neither do lists that another issuer signs.
 *
 * @param lists the addresses of revocation lists
 * @param responders the addresses of OCSP responders
 * @param listNames all names of lists, of any scheme
 * @param namesSource whether it names a list or a responder at all, even one that Signet does not ask
 */
record RevocationPoints(List<URI> lists, List<URI> responders, Set<String> listNames, boolean namesSource) {
    /** Reads the addresses. Those beyond the limit and malformed ones are left out. */
    static RevocationPoints of(X509Certificate certificate) {
        Set<String> names = new HashSet<>();
        List<URI> lists = new ArrayList<>();
        List<URI> responders = new ArrayList<>();
        byte[] points = certificate.getExtensionValue(Extension.cRLDistributionPoints.getId());
        byte[] access = certificate.getExtensionValue(Extension.authorityInfoAccess.getId());
        boolean source = points != null || certificate.getExtensionValue(Extension.freshestCRL.getId()) != null;
        try {
            if (access != null) {
                for (AccessDescription each :
                        AuthorityInformationAccess.getInstance(content(access)).getAccessDescriptions()) {
                    if (each.getAccessMethod().equals(AccessDescription.id_ad_ocsp)) {
                        source = true;
                        var unused = add(each.getAccessLocation(), responders);
                    }
                }
            }
            if (points != null) {
                for (DistributionPoint point :
                        CRLDistPoint.getInstance(content(points)).getDistributionPoints()) {
                    addLists(point, names, lists);
                }
            }
        } catch (RuntimeException malformed) { // the parsers throw many exceptions; a malformed part names no address
            source = true;
        }
        return new RevocationPoints(List.copyOf(lists), List.copyOf(responders), Set.copyOf(names), source);
    }

    private static void addLists(DistributionPoint point, Set<String> names, List<URI> lists) {
        DistributionPointName name = point.getDistributionPoint();
        boolean ofIssuer = point.getCRLIssuer() == null && point.getReasons() == null;
        if (ofIssuer && name != null && name.getType() == DistributionPointName.FULL_NAME) {
            for (GeneralName each : GeneralNames.getInstance(name.getName()).getNames()) {
                if (names.size() < FetchLimits.ADDRESSES && add(each, lists)) {
                    names.add(each.getName().toString());
                }
            }
        }
    }

    private static byte[] content(byte[] extension) {
        return ASN1OctetString.getInstance(extension).getOctets();
    }

    private static boolean add(GeneralName name, List<URI> addresses) {
        String text = name.getName().toString();
        if (name.getTagNo() != GeneralName.uniformResourceIdentifier || text.length() > FetchLimits.ADDRESS_LENGTH) {
            return false;
        }
        try {
            URI address = new URI(text);
            if (AddressRule.isWellFormed(address) && addresses.size() < FetchLimits.ADDRESSES) {
                addresses.add(address);
            }
            return true;
        } catch (URISyntaxException malformed) {
            return false;
        }
    }
}
