/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.KnownParties;
import org.signetmq.policy.PolicyFile;
import org.signetmq.policy.PolicySet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The policies of a file, read anew when it changes. A file that is bad or gone keeps the old set. Thread-safe. */
final class PolicyWatch implements Supplier<PolicySet> {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** A reader need not hold the certificates of others; who is not known cannot have signed. */
    private static final KnownParties ANYBODY = KnownParties.anybody();

    private final Path file;
    private final Clock clock;
    private volatile PolicySet current;
    private volatile Instant nextLook;
    private @Nullable Stamp seen;

    /** What tells that a file changed. */
    private record Stamp(Object key, Instant modified, long size) {
        static Stamp of(Path file) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(
                    String.valueOf(attributes.fileKey()),
                    attributes.lastModifiedTime().toInstant(),
                    attributes.size());
        }
    }

    /**
     * Reads the file.
     *
     * @throws IOException if it cannot be read
     * @throws InvalidPolicyException if its policies cannot work
     */
    PolicyWatch(Path file, Clock clock) throws IOException {
        this.file = file;
        this.clock = clock;
        this.seen = Stamp.of(file);
        this.current = PolicyFile.read(file, ANYBODY);
        this.nextLook = clock.instant().plus(INTERVAL);
    }

    @Override
    public PolicySet get() {
        if (!clock.instant().isBefore(nextLook)) {
            look();
        }
        return current;
    }

    private synchronized void look() {
        nextLook = clock.instant().plus(INTERVAL);
        try {
            Stamp now = Stamp.of(file);
            if (now.equals(seen)) {
                return;
            }
            seen = now; // also for a bad file, so that it is complained of once
            current = PolicyFile.read(file, ANYBODY);
            LOG.info("policies read anew, version {}", current.version());
        } catch (IOException e) {
            complain(e.getClass().getSimpleName());
        } catch (InvalidPolicyException e) {
            complain(e.getMessage());
        }
    }

    private void complain(@Nullable String why) {
        LOG.warn("policies not changed, version {} stays: {}: {}", current.version(), file, why);
    }
}
