/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.signetmq.keystore.KeystoreUnusableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies of answers on disk. Each is read once, when a message or the start needs it first. Their signatures are
 * verified as those of fetched ones. Thread-safe.
 *
 * @param targets receive the answers that are read
 */
record RevocationCopies(RevocationCache cache, RevocationTargets targets, Clock clock) {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationCopies.class);

    /** The most copies that are published at once. Publishing one by one costs much at the start of a large home. */
    private static final int BATCH = 32;

    /** Reads and publishes the copies of these targets that no other thread reads. Then waits for the others. */
    void read(Map<RevocationTarget, RevocationFetch> unread) {
        List<RevocationFetch> own = new ArrayList<>(BATCH); // with room, so that no thread fails after beginReading
        try {
            unread.forEach((target, fetch) -> {
                if (fetch.beginReading()) {
                    own.add(fetch);
                    read(target, fetch);
                    if (own.size() == BATCH) {
                        publish(own);
                    }
                }
            });
        } finally {
            publish(own);
        }
        unread.values().forEach(RevocationFetch::awaitReading); // after its own, so that two threads end
    }

    /** Publishes these answers, and only then lets the threads go on that wait for them. */
    private void publish(List<RevocationFetch> read) {
        if (read.isEmpty()) {
            return;
        }
        try {
            targets.publishNow();
        } finally {
            read.forEach(RevocationFetch::endReading);
            read.clear();
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
            var unused = targets.take(target, fetch, found);
        } catch (KeystoreUnusableException unusable) { // it is fetched now
            LOG.debug("{}: the copy on disk is not used: {}", target.address().toASCIIString(), unusable.getMessage());
        }
    }

    /** Writes an answer to the disk. */
    void write(RevocationTarget target, RevocationFetch fetch, byte[] content) {
        cache.write(target.fileName(fetch.issued()), content);
    }
}
