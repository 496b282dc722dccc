/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

import java.security.cert.X509Certificate;

/**
 * The signer of a message with a verified signature.
 *
 * @param certificate the certificate; the name in it is not proved
 * @param name the distinguished name (RFC 4514) that trust binds to the signer's key, or {@code ski:} and the key
 *     identifier if trust binds none
 */
public record VerifiedSigner(X509Certificate certificate, String name) {}
