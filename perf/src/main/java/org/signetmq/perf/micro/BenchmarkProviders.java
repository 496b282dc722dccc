/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.security.Provider;
import java.security.Security;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.signetmq.keystore.crypto.CryptoProviders;

/** The providers that the product chooses, for the rows of bare primitives. */
final class BenchmarkProviders {
    private BenchmarkProviders() {}

    static Provider aes() {
        return CryptoProviders.standard().aes();
    }

    static Provider ec() {
        return CryptoProviders.standard().accelerated().orElseGet(BouncyCastleProvider::new);
    }

    static Provider rsa() {
        return CryptoProviders.standard().accelerated().orElseGet(() -> Security.getProvider("SunRsaSign"));
    }
}
