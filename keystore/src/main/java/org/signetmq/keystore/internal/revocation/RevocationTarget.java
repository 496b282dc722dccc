/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.crypto.CryptoProviders;
import org.signetmq.keystore.internal.crl.Issued;
import org.signetmq.keystore.internal.ocsp.OcspKey;

/**
 * An address with the issuer whose list or answer is expected there.
 *
 * @param certificate the certificate that an OCSP responder is asked about; null for the address of a list
 */
record RevocationTarget(
        URI address, PublicKeyInfo issuer, @Nullable OcspKey certificate) {
    static RevocationTarget list(URI address, Issued issued) {
        return new RevocationTarget(address, PublicKeyInfo.of(issued.issuer()), null);
    }

    static RevocationTarget answer(URI address, Issued issued) {
        OcspKey key = OcspKey.of(issued);
        return new RevocationTarget(address, key.issuer(), key);
    }

    boolean isList() {
        return certificate == null;
    }

    /** Returns the name of its file in the cache, which the asked host cannot choose. */
    String fileName(Issued issued) {
        MessageDigest digest = CryptoProviders.digest("SHA-256");
        digest.update(address.toString().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        digest.update(issued.issuer().getPublicKey().getEncoded());
        if (!isList()) {
            digest.update(issued.certificate().getSerialNumber().toByteArray());
        }
        return HexFormat.of().formatHex(digest.digest()) + (isList() ? ".crl" : ".ocsp");
    }
}
