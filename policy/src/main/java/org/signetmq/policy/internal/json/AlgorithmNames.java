/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.policy.EncryptionAlgorithm;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.internal.text.Quoted;

/** Reads the names of algorithms in upper or lower case, with or without hyphens. */
final class AlgorithmNames {
    /** Broken or too short ones by their beginnings, and modes without authentication. */
    private static final Pattern WEAK = Pattern.compile("(?s)SHA|NULL|NONE|.*(CBC|ECB|CFB|OFB|CTR|NOPADDING).*"
            + "|(MD|SHA1|SHA224|RIPEMD|RC[245]|ARCFOUR|3?DES|TRIPLEDES|TDEA|TDES|BLOWFISH|IDEA|CAST|AES128|AES192).*");

    private static final Map<String, SignatureAlgorithm> SIGNATURES = Arrays.stream(SignatureAlgorithm.values())
            .collect(Collectors.toUnmodifiableMap(algorithm -> plain(algorithm.label()), algorithm -> algorithm));

    private static final Map<String, EncryptionAlgorithm> ENCRYPTIONS = Arrays.stream(EncryptionAlgorithm.values())
            .flatMap(algorithm ->
                    Stream.of("", "GCM").map(mode -> Map.entry(plain(algorithm.label()) + mode, algorithm)))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private AlgorithmNames() {}

    static Optional<SignatureAlgorithm> signature(String name) {
        return Optional.ofNullable(SIGNATURES.get(plain(name)));
    }

    static Optional<EncryptionAlgorithm> encryption(String name) {
        return Optional.ofNullable(ENCRYPTIONS.get(plain(name)));
    }

    /** Returns the reason of a rejected name, and the remedy. */
    static String problemWith(String name, List<String> supported) {
        String choice = String.join("\" or \"", supported);
        return WEAK.matcher(plain(name)).matches()
                ? "a weak algorithm, found " + Quoted.text(name) + "; use \"" + choice + "\""
                : "not supported, found " + Quoted.text(name) + "; supported is \"" + choice + "\"";
    }

    private static String plain(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        StringBuilder plain = new StringBuilder(upper.length());
        for (int i = 0; i < upper.length(); i++) {
            if ("-_/ ".indexOf(upper.charAt(i)) < 0) {
                plain.append(upper.charAt(i));
            }
        }
        return plain.toString();
    }
}
