/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.util.ArrayList;
import java.util.List;
import org.signetmq.keystore.Identity;

/**
 * All keys of one identity. Immutable.
 *
 * @param current the identity with its current key, which signs and for which messages are encrypted now
 * @param former the identity with its former keys, which only open messages
 * @param findings the files of former keys that cannot be used
 */
public record IdentityKeys(Identity current, List<Identity> former, List<Finding> findings) {
    public IdentityKeys {
        former = List.copyOf(former);
        findings = List.copyOf(findings);
    }

    /** Returns the identity with each of its keys, the current one first. */
    public List<Identity> all() {
        List<Identity> all = new ArrayList<>(former.size() + 1);
        all.add(current);
        all.addAll(former);
        return List.copyOf(all);
    }
}
