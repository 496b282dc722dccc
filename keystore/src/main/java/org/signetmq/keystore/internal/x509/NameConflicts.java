/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.x509;

import java.util.List;
import java.util.Optional;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;

/** Finds certificates of a home that have the same name but different keys. */
public final class NameConflicts {
    private NameConflicts() {}

    /** Returns the names of the first two entries with different keys; empty if all have the same key. */
    public static Optional<String> conflict(List<Recipient> entries) {
        for (int i = 1; i < entries.size(); i++) {
            if (!keyOf(entries.get(i)).equals(keyOf(entries.get(0)))) {
                return Optional.of(
                        "'" + entries.get(0).name() + "' and '" + entries.get(i).name() + "'");
            }
        }
        return Optional.empty();
    }

    /** Rejects entries with different keys. */
    public static void reject(List<Recipient> entries, String what) {
        if (entries.size() > 1) {
            conflict(entries).ifPresent(names -> {
                throw new KeystoreUnusableException("recipients/: " + names + " " + what
                        + "; remove the wrong one, or where only the distinguished name is shared use the file's name");
            });
        }
    }

    private static PublicKeyInfo keyOf(Recipient entry) {
        return PublicKeyInfo.of(entry.certificate());
    }
}
