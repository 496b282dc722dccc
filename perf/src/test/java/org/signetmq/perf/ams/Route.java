/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import java.security.GeneralSecurityException;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.QualityOfProtection;

/** Identities and routes of the tests. */
final class Route {
    static final AmsIdentity ALICE = identity("alice");
    static final AmsIdentity BOB = identity("bob");
    static final AmsIdentity EVE = identity("eve");

    private Route() {}

    /** Returns the route from Alice to Bob. */
    static AmsRoute of(QualityOfProtection quality) {
        return of(quality, Reuse.NONE);
    }

    static AmsRoute of(QualityOfProtection quality, Reuse reuse) {
        return new AmsRoute(new Variant(quality, reuse, KeyKind.RSA2048), ALICE, BOB, AmsProvider.INSTALLED);
    }

    static AmsRoute confidential(String reuse) {
        return of(QualityOfProtection.CONFIDENTIALITY, new Reuse(reuse));
    }

    private static AmsIdentity identity(String name) {
        try {
            return AmsIdentity.create(name);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
