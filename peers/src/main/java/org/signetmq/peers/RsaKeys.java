/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.peers;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;

/** The recipient's key where a peer wraps with RSA: 2048 bits for all. */
final class RsaKeys {
    private RsaKeys() {}

    static KeyPair generate() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }
}
