/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.util.Arrays;
import java.util.Locale;
import org.signetmq.keystore.KeyAlgorithm;

/** The kind of key that signers and recipients have. */
enum KeyKind {
    P256(KeyAlgorithm.EC_P256),
    RSA2048(KeyAlgorithm.RSA_2048);

    private final KeyAlgorithm algorithm;

    KeyKind(KeyAlgorithm algorithm) {
        this.algorithm = algorithm;
    }

    static KeyKind named(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("keys: must be p256 or rsa2048, found '" + label + "'"));
    }

    KeyAlgorithm algorithm() {
        return algorithm;
    }

    /** The name in options and results. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Who sends, to the broker; named like the identity that signs for it there. */
    String sender() {
        return "sender-" + label();
    }

    /** Whose key opens. */
    String recipient() {
        return "recipient-" + label();
    }
}
