/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.util.List;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;

/** Keys of identities that are not in this process, but in a token or a key service. Thread-safe. */
public interface ExternalKeys {
    /**
     * Finds all keys of an identity, and proves that the current one works. The certificates of the home tell which key
     * is the current one.
     *
     * @param name the name of the identity
     * @return the keys; its findings are about keys that are not used
     * @throws org.signetmq.keystore.KeystoreUnusableException if the place of the keys cannot be used now, or has no
     *     such key
     */
    IdentityKeys loadAll(String name, Home home);

    /**
     * Loads all keys as {@link #loadAll} does, and looks for changes until it is closed. A new key becomes the current
     * one only when the home has its certificate first.
     *
     * @throws org.signetmq.keystore.KeystoreUnusableException as {@link #loadAll} does
     */
    KeyWatch watch(String name, Home home);

    /**
     * Returns the key for which a request for a certificate is made. The home need not have its certificate yet.
     *
     * @throws org.signetmq.keystore.KeystoreUnusableException as {@link #loadAll} does
     */
    Identity requested(String name, Home home);

    /**
     * Returns all keys that may get a certificate, at least one.
     *
     * @throws org.signetmq.keystore.KeystoreUnusableException as {@link #loadAll} does
     */
    List<Identity> held(String name, Home home);
}
