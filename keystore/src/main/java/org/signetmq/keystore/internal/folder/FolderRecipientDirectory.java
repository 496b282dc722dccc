/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.internal.names.Selector;

/** The certificates of a folder, each under the name of its file. Thread-safe. */
public final class FolderRecipientDirectory implements RecipientDirectory {
    private final WatchedFolder<List<X509Certificate>> folder;
    private final Clock clock;
    private volatile RecipientIndex index = RecipientIndex.EMPTY;

    public FolderRecipientDirectory(CheckedFolder folder, Clock clock, LongSupplier nanoTime) {
        this.folder = new WatchedFolder<>(folder, CertificateFiles::readCertificates, nanoTime);
        this.clock = clock;
    }

    @Override
    public Optional<Recipient> find(String text) {
        return Selector.parse(text).flatMap(selector -> current().find(selector, clock.instant()));
    }

    @Override
    public List<Recipient> find(KeyIdentifier keyIdentifier) {
        List<Recipient> found = current().find(keyIdentifier);
        if (!found.isEmpty()) {
            return found;
        }
        folder.refresh(); // the signer's certificate may have come within this second
        return current().find(keyIdentifier);
    }

    @Override
    public List<Recipient> all() {
        return current().all();
    }

    @Override
    public List<Recipient> former() {
        return current().former();
    }

    @Override
    public long version() {
        return current().version();
    }

    private RecipientIndex current() {
        WatchedFolder.Contents<List<X509Certificate>> contents = folder.contents();
        RecipientIndex known = index;
        if (known.version() == contents.version()) {
            return known;
        }
        RecipientIndex made = RecipientIndex.of(contents); // two threads may do it at once, without harm
        index = made;
        return made;
    }
}
