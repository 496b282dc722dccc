/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.stream.Stream;
import org.signetmq.testkit.Tier;

/**
 * The algorithms of signing keys of identities that are made for tests. Long RSA keys take seconds each, so only the
 * long tier makes them.
 */
public final class TestedAlgorithms {
    private TestedAlgorithms() {}

    public static Stream<KeyAlgorithm> all() {
        return Stream.of(KeyAlgorithm.values())
                .filter(algorithm -> !algorithm.isMlKem())
                .filter(algorithm ->
                        Tier.isLong() || !algorithm.name().startsWith("RSA") || algorithm == KeyAlgorithm.RSA_2048);
    }
}
