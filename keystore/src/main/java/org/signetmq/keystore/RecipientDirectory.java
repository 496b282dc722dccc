/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.List;
import java.util.Optional;

/** Finds the certificates of other parties by name, DN or key identifier. Thread-safe. */
public interface RecipientDirectory {
    /**
     * Returns the entry for a selector; empty if there is none. A name or DN means the current certificate of the
     * entry. If several certificates have one key, it returns the newest of the valid ones.
     *
     * @param selector a name, a DN (RFC 4514, in any order and spacing), or {@code ski:} and the hex digits of the
     *     identifier of a key
     * @throws KeystoreUnusableException if two keys have the DN, or certificates for two keys claim the found key
     *     identifier; the text names both entries
     */
    Optional<Recipient> find(String selector);

    /**
     * Returns the entries whose certificates claim this identifier. An envelope may mean any of them.
     *
     * @throws KeystoreUnusableException if two keys claim it; the text names both entries
     */
    List<Recipient> find(KeyIdentifier keyIdentifier);

    /** Returns the current certificates of all entries, sorted by name. */
    List<Recipient> all();

    /**
     * Returns the former certificates of the entries, each under the name of its entry. They verify what a party signed
     * before its key or certificate was renewed. No message is encrypted for them under the name or DN of the entry.
     */
    default List<Recipient> former() {
        return List.of();
    }

    /** Returns a number that changes when any entry changes. */
    long version();
}
