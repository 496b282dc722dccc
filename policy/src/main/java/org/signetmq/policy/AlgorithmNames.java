/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The names of algorithms as people write them: upper or lower case, with or without hyphens. */
final class AlgorithmNames {
    /** Broken, too short, or without authentication. */
    private static final List<String> WEAK = List.of(
            "MD",
            "SHA1",
            "SHA224",
            "RIPEMD",
            "RC2",
            "RC4",
            "RC5",
            "ARCFOUR",
            "DES",
            "3DES",
            "TRIPLEDES",
            "TDEA",
            "TDES",
            "BLOWFISH",
            "IDEA",
            "CAST",
            "AES128",
            "AES192");

    private static final List<String> WEAK_MODES = List.of("CBC", "ECB", "CFB", "OFB", "CTR", "NOPADDING");

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
        return isWeak(plain(name))
                ? "a weak algorithm, found " + Quoted.text(name) + "; use \"" + choice + "\""
                : "not supported, found " + Quoted.text(name) + "; supported is \"" + choice + "\"";
    }

    private static boolean isWeak(String plain) {
        return plain.equals("SHA")
                || plain.equals("NULL")
                || plain.equals("NONE")
                || WEAK.stream().anyMatch(plain::startsWith)
                || WEAK_MODES.stream().anyMatch(plain::contains);
    }

    private static String plain(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[-_/ ]", "");
    }
}
