/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.variant;

import java.util.Locale;
import java.util.stream.Stream;
import org.signetmq.keystore.KeyAlgorithm;

/** The kind of key that signers and recipients have. */
public enum KeyKind {
    P256(KeyAlgorithm.EC_P256),
    RSA2048(KeyAlgorithm.RSA_2048);

    private final KeyAlgorithm algorithm;

    KeyKind(KeyAlgorithm algorithm) {
        this.algorithm = algorithm;
    }

    /**
     * Returns the kind with this label.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static KeyKind named(String label) {
        return Stream.of(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("keys: must be p256 or rsa2048, found '" + label + "'"));
    }

    /** Returns the name in options and results. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the algorithm of an identity with such a key. */
    public KeyAlgorithm algorithm() {
        return algorithm;
    }
}
