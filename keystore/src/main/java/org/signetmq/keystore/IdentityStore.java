/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.List;

/** The identities of a home. Thread-safe. */
public final class IdentityStore {
    IdentityStore(Home home) {}

    /**
     * Makes a key and certificate, and writes the identity, its recipient entry and, if it is its own issuer, its trust
     * entry.
     *
     * @throws KeystoreUnusableException if the name is taken, the issuer cannot issue, or nothing can be written
     */
    public Identity create(IdentityRequest request, Password password) {
        throw new UnsupportedOperationException();
    }

    /** The names, sorted. */
    public List<String> names() {
        throw new UnsupportedOperationException();
    }

    /**
     * Loads one.
     *
     * @throws KeystoreUnusableException if it is missing, unreadable, or the password is wrong: each said in its text
     */
    public Identity load(String name, Password password) {
        throw new UnsupportedOperationException();
    }
}
