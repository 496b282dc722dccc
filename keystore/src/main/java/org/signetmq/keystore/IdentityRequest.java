/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import org.jspecify.annotations.Nullable;

/**
 * The properties of a new identity.
 *
 * @param name letters, digits, dot, hyphen, underscore
 * @param distinguishedName RFC 4514, such as {@code CN=alice,O=Example}
 * @param keyAlgorithm the kind of key
 * @param issuer the name of the identity that signs the certificate, or null to be its own issuer
 */
public record IdentityRequest(
        String name,
        String distinguishedName,
        KeyAlgorithm keyAlgorithm,
        @Nullable String issuer) {}
