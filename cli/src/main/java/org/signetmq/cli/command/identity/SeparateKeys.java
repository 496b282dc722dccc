/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import java.time.Duration;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Password;

/** Makes identities with one key that signs, and another one that receives. */
record SeparateKeys(IdentityStore store, Password password) {
    /**
     * Creates an identity. If the process ends in the middle, {@code identity renew --decrypt-key} completes it.
     *
     * @return the identity with the key that signs
     */
    Identity create(IdentityRequest request, Duration validity) {
        Identity signing = store.signingOnly().create(request, password);
        boolean receives = request.keyAlgorithm() != KeyAlgorithm.ED25519;
        Identity unused = store.renewReceiving(
                new IdentityRenewal(
                        request.name(),
                        new NextKey.New(receives ? request.keyAlgorithm() : KeyAlgorithm.EC_P256),
                        request.issuer(),
                        validity),
                password);
        return signing;
    }
}
