/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.signetmq.cli.console.Json;
import org.signetmq.keystore.KeyIdentifier;

/** What is shown of a certificate. */
record CertificateFacts(X509Certificate certificate) {
    /** RFC 4514. */
    String subject() {
        return certificate.getSubjectX500Principal().getName();
    }

    String issuer() {
        return certificate.getIssuerX500Principal().getName();
    }

    String serialNumber() {
        return certificate.getSerialNumber().toString(16);
    }

    String notBefore() {
        return certificate
                .getNotBefore()
                .toInstant()
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    String notAfter() {
        return certificate
                .getNotAfter()
                .toInstant()
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
    }

    /** As policies name it: computed from the key. */
    String keyIdentifier() {
        return KeyIdentifier.ofKey(certificate).toString();
    }

    /** As envelopes name it: what the certificate claims. */
    String claimedKeyIdentifier() {
        return KeyIdentifier.of(certificate).toString();
    }

    /** As {@code identity create} names it; what it cannot create under the name that Java gives it. */
    String keyAlgorithm() {
        PublicKey key = certificate.getPublicKey();
        if (key instanceof RSAPublicKey rsa) {
            return "rsa-" + rsa.getModulus().bitLength();
        }
        if (key instanceof ECPublicKey ec) {
            return "ec-p" + ec.getParams().getCurve().getField().getFieldSize();
        }
        String name = key instanceof EdECPublicKey edwards ? edwards.getParams().getName() : key.getAlgorithm();
        return name.toLowerCase(Locale.ROOT);
    }

    ObjectNode json() {
        return Json.object()
                .put("dn", subject())
                .put("issuer", issuer())
                .put("serial-number", serialNumber())
                .put("key-algorithm", keyAlgorithm())
                .put("key-id", keyIdentifier())
                .put("not-before", notBefore())
                .put("not-after", notAfter());
    }
}
