/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.signetmq.keystore.KeystoreUnusableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies on disk of what the targets gave. Each is read once, when a message or the start needs it first. Their
 * signatures are verified as those of fetched ones. Thread-safe.
 *
 * @param targets take what is read
 */
record RevocationCopies(RevocationCache cache, RevocationTargets targets, Clock clock) {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationCopies.class);

    /** Reads the copies of these targets that no thread has read. Another thread that needs one waits for it. */
    void read(Map<RevocationTarget, RevocationFetch> unread) {
        unread.forEach(this::readOnce);
        if (!unread.isEmpty()) {
            targets.publishNow();
        }
    }

    private void readOnce(RevocationTarget target, RevocationFetch fetch) {
        synchronized (fetch) { // taken before the lock of the targets, because parsing and verifying take time
            if (!fetch.isRead()) {
                try {
                    read(target, fetch);
                } finally {
                    fetch.setRead();
                }
            }
        }
    }

    private void read(RevocationTarget target, RevocationFetch fetch) {
        int most = target.isList() ? FetchLimits.LIST_BYTES : FetchLimits.ANSWER_BYTES;
        Optional<byte[]> copy = cache.read(target.fileName(fetch.issued()), most);
        if (copy.isEmpty()) {
            return;
        }
        try {
            FetchedContent found = target.isList()
                    ? FetchedContent.list(copy.get(), fetch.issued(), clock.instant())
                    : FetchedContent.answer(copy.get(), fetch.issued(), clock.instant(), null);
            boolean unused = targets.take(target, fetch, found);
        } catch (KeystoreUnusableException unusable) { // it is fetched now
            LOG.debug("{}: the copy on disk is not used: {}", target.address().toASCIIString(), unusable.getMessage());
        }
    }

    /** Keeps what an address gave. */
    void write(RevocationTarget target, RevocationFetch fetch, byte[] content) {
        cache.write(target.fileName(fetch.issued()), content);
    }
}
