/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.signetmq.keystore.DistinguishedName;
import org.signetmq.keystore.KeyIdentifier;

/** A signer or recipient as a policy names it. */
public interface Selector {
    String ISSUER = "issuer";

    /** The name of a file in the directory. */
    record ByName(String name) implements Selector {}

    /** A distinguished name. */
    record ByDn(DistinguishedName name) implements Selector {}

    /**
     * A distinguished name with the issuer that vouches for it.
     *
     * @param name the RDNs in the order of the certificate, each as its sorted attributes
     * @param issuer the name of a file in {@code trust/}
     */
    record ByIssuedDn(List<List<String>> name, String issuer) implements Selector {}

    /** A key identifier that is computed from the key. */
    record ByKey(KeyIdentifier identifier) implements Selector {}

    /**
     * Parses a selector: {@code ski:} with hex digits, a DN with or without {@code ; issuer=NAME} behind it, or a name.
     * Text with {@code =} is a DN. Empty if the text is malformed.
     */
    static Optional<Selector> parse(String text) {
        if (text.regionMatches(true, 0, "ski:", 0, 4)) {
            return key(text.substring(4));
        }
        if (text.indexOf('=') >= 0) {
            int end = endOfDn(text);
            return end < 0
                    ? DistinguishedName.parse(text).map(ByDn::new)
                    : issued(text.substring(0, end), text.substring(end + 1));
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(new ByName(text));
    }

    /** Returns the index of the semicolon behind the DN, which is neither escaped nor quoted; -1 for none. */
    private static int endOfDn(String text) {
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ';' && !quoted) {
                return i;
            }
        }
        return -1;
    }

    private static Optional<Selector> issued(String dn, String rest) {
        int equals = rest.indexOf('=');
        if (equals < 0 || !rest.substring(0, equals).strip().equals(ISSUER)) {
            return Optional.empty();
        }
        String issuer = rest.substring(equals + 1).strip();
        return issuer.isEmpty() || issuer.indexOf(';') >= 0
                ? Optional.empty()
                : DistinguishedName.parseOrdered(dn.replaceAll("^ +| +$", ""))
                        .map(name -> new ByIssuedDn(name, issuer));
    }

    private static Optional<Selector> key(String hex) {
        String digits = hex.replace(":", "").strip().toLowerCase(Locale.ROOT);
        if (digits.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ByKey(KeyIdentifier.of(HexFormat.of().parseHex(digits))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
