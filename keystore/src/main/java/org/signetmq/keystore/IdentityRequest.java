/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import org.jspecify.annotations.Nullable;

/**
 * The properties of a new identity.
 *
 * @param name 1 to 64 letters, digits, dots, hyphens and underscores, not a dot first
 * @param distinguishedName the subject as RFC 4514 text, such as {@code CN=alice,O=Example}
 * @param keyAlgorithm the kind of key
 * @param issuer the name of the identity that issues the certificate, or null for a self-signed one
 */
public record IdentityRequest(
        String name,
        String distinguishedName,
        KeyAlgorithm keyAlgorithm,
        @Nullable String issuer) {}
