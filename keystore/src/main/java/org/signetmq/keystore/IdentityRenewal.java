/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The properties of the renewal of an identity. It keeps its name and DN, and gets another certificate.
 *
 * @param name the name in the home folder
 * @param key the key of the new certificate
 * @param issuer the name of the identity that issues the certificate, or null for the present issuer
 * @param validity the time from now to the end of the certificate; the certificate of its issuer may end it earlier
 */
public record IdentityRenewal(
        String name, NextKey key, @Nullable String issuer, Duration validity) {
    /** The validity of new certificates: the longest that the large certificate programmes accept. */
    public static final Duration DEFAULT_VALIDITY = Duration.ofDays(825);

    /** The key of the new certificate. */
    public sealed interface NextKey {
        /** The present key. */
        record Same() implements NextKey {}

        /**
         * A new key.
         *
         * @param algorithm the kind of key, or null for the present kind
         */
        record New(@Nullable KeyAlgorithm algorithm) implements NextKey {}

        /**
         * A key that the identity has already: one that was prepared, or a former one. Its certificate stays as it is.
         *
         * @param id 16 to 40 hex digits of the key identifier
         */
        record Held(String id) implements NextKey {}
    }
}
