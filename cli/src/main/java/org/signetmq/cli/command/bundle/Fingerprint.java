/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.keys.CryptoProviders;

/** SHA-256 of bytes, as {@code openssl x509 -fingerprint -sha256} writes it. */
public final class Fingerprint {
    private static final HexFormat COLONS = HexFormat.ofDelimiter(":").withUpperCase();
    private static final int DIGITS = 64;

    private Fingerprint() {}

    public static String of(byte[] bytes) {
        return COLONS.formatHex(CryptoProviders.sha256(bytes));
    }

    /** Returns the fingerprint of a certificate. */
    public static String of(X509Certificate certificate) {
        return of(PublicKeyInfo.encoded(certificate));
    }

    /** Returns the fingerprint of a certificate's key, which stays when the certificate is renewed. */
    public static String ofKey(X509Certificate certificate) {
        return of(certificate.getPublicKey().getEncoded());
    }

    /** Returns a fingerprint that a user wrote, with or without colons; empty if the text is something else. */
    public static Optional<String> parse(String text) {
        String digits = text.replace(":", "").replace(" ", "").toUpperCase(Locale.ROOT);
        return digits.length() == DIGITS && digits.matches("[0-9A-F]+")
                ? Optional.of(COLONS.formatHex(HexFormat.of().parseHex(digits)))
                : Optional.empty();
    }
}
