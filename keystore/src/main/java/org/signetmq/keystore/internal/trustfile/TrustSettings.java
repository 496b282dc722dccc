/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trustfile;

import org.signetmq.keystore.internal.x509.KeyPolicy;
import org.signetmq.keystore.trust.RevocationSettings;

/**
 * The content of {@code trust.json}.
 *
 * @param keys the accepted keys and signatures of certificates
 * @param revocation the sources of revocations
 */
public record TrustSettings(KeyPolicy keys, RevocationSettings revocation) {
    /** The settings of a home without the file. */
    public static final TrustSettings DEFAULT = new TrustSettings(KeyPolicy.DEFAULT, RevocationSettings.DEFAULT);
}
