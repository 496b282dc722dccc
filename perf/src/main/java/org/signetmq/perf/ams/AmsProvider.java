/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import java.security.Provider;
import java.util.Optional;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** The library that computes signatures and ciphers. Bouncy Castle writes and reads the envelopes in any case. */
public enum AmsProvider {
    /** The first installed provider that has the algorithm. If the process installs none, these are the JDK's. */
    INSTALLED,

    /** Bouncy Castle's Java code, which AMS brings along for Java runtimes of other vendors. */
    BOUNCY_CASTLE;

    private static final Provider LIBRARY = new BouncyCastleProvider();

    /** Returns the provider for Bouncy Castle's builders, which ask the installed ones if they get none. */
    Optional<Provider> provider() {
        return this == BOUNCY_CASTLE ? Optional.of(LIBRARY) : Optional.empty();
    }
}
