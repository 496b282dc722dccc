/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.crypto;

import java.security.Provider;
import java.util.Optional;

/** Finds the Amazon Corretto Crypto Provider, an optional native library for some platforms. */
final class NativeProvider {
    private static final String CLASS_NAME = "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";

    /** The system property that excludes the provider if it is true. */
    private static final String OFF = "signet.crypto.java-only";

    private NativeProvider() {}

    /** Returns the provider if it is on the class path, its library loads on this machine, and its self-test passes. */
    static Optional<Provider> find() {
        if (Boolean.getBoolean(OFF)) {
            return Optional.empty();
        }
        try {
            Class<?> type = Class.forName(CLASS_NAME);
            Provider provider = (Provider) type.getField("INSTANCE").get(null);
            type.getMethod("assertHealthy").invoke(provider);
            return Optional.of(provider);
        } catch (ReflectiveOperationException | LinkageError absentOrUnhealthy) {
            return Optional.empty(); // everything works without it
        }
    }
}
