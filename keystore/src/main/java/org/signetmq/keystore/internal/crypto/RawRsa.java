/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.crypto;

import java.security.GeneralSecurityException;

/** The private-key operation of RSA without padding (RFC 8017 sections 5.1.2 and 5.2.1). */
@FunctionalInterface
public interface RawRsa {
    /**
     * Raises a number to the private exponent.
     *
     * @param block the number, big-endian, as long as the modulus and smaller than it
     * @return the result, as long as the modulus
     */
    byte[] apply(byte[] block) throws GeneralSecurityException;
}
