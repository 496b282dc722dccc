/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** What a policy calls somebody. */
interface Selector {
    /** The name of a file in the directory. */
    record ByName(String name) implements Selector {}

    /** A distinguished name. */
    record ByDn(DistinguishedName name) implements Selector {}

    /** A subject key identifier. */
    record ByKey(KeyIdentifier identifier) implements Selector {}

    /** {@code ski:} and hex, else text with {@code =} is a DN, else a name. Empty if it is malformed. */
    static Optional<Selector> parse(String text) {
        if (text.regionMatches(true, 0, "ski:", 0, 4)) {
            return key(text.substring(4));
        }
        if (text.indexOf('=') >= 0) {
            return DistinguishedName.parse(text).map(ByDn::new);
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(new ByName(text));
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
