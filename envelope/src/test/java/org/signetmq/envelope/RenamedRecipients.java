/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.List;
import java.util.Optional;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;

/** A directory in which the meaning of selectors can change. */
abstract class RenamedRecipients implements RecipientDirectory {
    abstract RecipientDirectory home();

    /** The selector in the home that this one means now. */
    abstract String meant(String selector);

    /** The number of changes. */
    abstract long changes();

    @Override
    public final Optional<Recipient> find(String selector) {
        return home().find(meant(selector));
    }

    @Override
    public final List<Recipient> find(KeyIdentifier keyIdentifier) {
        return home().find(keyIdentifier);
    }

    @Override
    public final List<Recipient> all() {
        return home().all();
    }

    @Override
    public final long version() {
        return home().version() + changes();
    }
}
