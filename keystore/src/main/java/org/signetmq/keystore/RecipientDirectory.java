/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.List;
import java.util.Optional;

/** Finds certificates of others by name, DN or key identifier. Thread-safe. */
public interface RecipientDirectory {
    /**
     * The entry for a selector. Of several certificates for one key it is a valid one, and of these the newest.
     *
     * @param selector a name, a DN (RFC 4514, in any order and spacing), or {@code ski:} and the hex digits of the
     *     identifier of a key
     * @throws KeystoreUnusableException if two keys have the DN, or certificates for two keys claim the found key
     *     identifier; the text names both entries
     */
    Optional<Recipient> find(String selector);

    /**
     * The entries that an envelope may mean by this identifier: those that claim it.
     *
     * @throws KeystoreUnusableException if two keys claim it; the text names both entries
     */
    List<Recipient> find(KeyIdentifier keyIdentifier);

    /** Every entry, by name. */
    List<Recipient> all();

    /** A number that changes when any entry does. */
    long version();
}
