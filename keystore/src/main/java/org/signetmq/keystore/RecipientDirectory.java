/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.List;
import java.util.Optional;

/** Finds certificates of others by name, DN or key identifier. Thread-safe. */
public interface RecipientDirectory {
    /**
     * The entry for a selector.
     *
     * @param selector a name; a DN (RFC 4514, order and spacing not mattering); or {@code ski:} and hex digits
     */
    Optional<Recipient> find(String selector);

    /** The entries whose certificate has this key identifier; two may share one after a renewal. */
    List<Recipient> find(KeyIdentifier keyIdentifier);

    /** Every entry, by name. */
    List<Recipient> all();

    /** A number that changes when any entry does. */
    long version();
}
