/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.util.Collection;
import java.util.List;

/** Supplies the identities whose private keys open messages. They may change while it is in use. Thread-safe. */
public interface IdentitySource {
    /** Returns the identities. It returns the same list until they change. It is fast and throws nothing. */
    List<Identity> current();

    /**
     * Returns the identities for a message that is for none of {@link #current()}. It may look for new ones first.
     * Senders choose how often it is called, so it limits its own work.
     */
    default List<Identity> afterMiss() {
        return current();
    }

    /** Returns a source of these identities, which never change. */
    static IdentitySource of(Collection<Identity> identities) {
        List<Identity> fixed = List.copyOf(identities);
        return () -> fixed;
    }
}
