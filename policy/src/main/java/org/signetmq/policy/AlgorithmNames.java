/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the names of algorithms in upper or lower case, with or without hyphens. */
final class AlgorithmNames {
    /** Broken or too short ones by their beginnings, and modes without authentication. */
    private static final Pattern WEAK = Pattern.compile("(?s)SHA|NULL|NONE|.*(CBC|ECB|CFB|OFB|CTR|NOPADDING).*"
            + "|(MD|SHA1|SHA224|RIPEMD|RC[245]|ARCFOUR|3?DES|TRIPLEDES|TDEA|TDES|BLOWFISH|IDEA|CAST|AES128|AES192).*");

    private AlgorithmNames() {}

    static Optional<SignatureAlgorithm> signature(String name) {
        String plain = plain(name);
        return Arrays.stream(SignatureAlgorithm.values())
                .filter(algorithm -> plain(algorithm.label()).equals(plain))
                .findFirst();
    }

    static Optional<EncryptionAlgorithm> encryption(String name) {
        String plain = plain(name);
        return Arrays.stream(EncryptionAlgorithm.values())
                .filter(algorithm ->
                        plain(algorithm.label()).equals(plain) || (plain(algorithm.label()) + "GCM").equals(plain))
                .findFirst();
    }

    /** Returns the reason of a rejected name, and the remedy. */
    static String problemWith(String name, List<String> supported) {
        String choice = String.join("\" or \"", supported);
        return WEAK.matcher(plain(name)).matches()
                ? "a weak algorithm, found " + Quoted.text(name) + "; use \"" + choice + "\""
                : "not supported, found " + Quoted.text(name) + "; supported is \"" + choice + "\"";
    }

    private static String plain(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[-_/ ]", "");
    }
}
