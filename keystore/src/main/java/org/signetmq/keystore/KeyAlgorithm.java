/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of key an identity can have. */
public enum KeyAlgorithm {
    EC_P256,
    EC_P384,
    EC_P521,
    RSA_2048,
    RSA_3072,
    RSA_4096,
    /** Signs; cannot receive encrypted messages. */
    ED25519;

    /** The name on the command line: {@code ec-p256}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The algorithm with this {@link #label()}. */
    public static Optional<KeyAlgorithm> named(String label) {
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.label().equals(label))
                .findFirst();
    }
}
