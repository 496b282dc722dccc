/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kind of an identity's key. */
public enum KeyAlgorithm {
    EC_P256,
    EC_P384,
    EC_P521,
    RSA_2048,
    RSA_3072,
    RSA_4096,
    /** A key that signs, and cannot receive encrypted messages. */
    ED25519;

    /** Returns the name on the command line, such as {@code ec-p256}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the algorithm with this {@link #label()}; empty for any other text. */
    public static Optional<KeyAlgorithm> named(String label) {
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.label().equals(label))
                .findFirst();
    }
}
