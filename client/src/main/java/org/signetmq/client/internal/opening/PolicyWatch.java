/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.file.FileStamp;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.PermissionCheck;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supplies the policies of a file, and reads them again when it changes. The old policies stay if the file is invalid
 * or missing. While other users may write to the file, the supplier throws. Thread-safe.
 */
public final class PolicyWatch implements Supplier<PolicySet> {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Accepts all names in policies. A consumer needs no certificates of others, and an unknown party cannot sign. */
    private static final PartyValidator ANYBODY = PartyValidator.acceptAll();

    private final Path file;
    private final HomeReader home;
    private final Clock clock;
    private volatile PolicySet current;
    private volatile Instant nextLook;
    private FileStamp seen;
    private volatile @Nullable KeystoreUnusableException unsafe;

    /**
     * Reads the file.
     *
     * @param home takes the certificates of the policies
     * @throws IOException if it cannot be read
     * @throws KeystoreUnusableException if other users may write to it
     * @throws InvalidPolicyException if its policies cannot work
     */
    public PolicyWatch(Path file, HomeReader home, Clock clock) throws IOException {
        this.file = file;
        this.home = home;
        this.clock = clock;
        PermissionCheck.forThisUser().part(file).requireNoFinding();
        this.seen = FileStamp.of(file);
        this.current = read();
        this.nextLook = clock.instant().plus(INTERVAL);
    }

    @Override
    public PolicySet get() {
        if (!clock.instant().isBefore(nextLook)) {
            look();
        }
        KeystoreUnusableException problem = unsafe;
        if (problem != null) {
            throw new KeystoreUnusableException(String.valueOf(problem.getMessage()), problem);
        }
        return current;
    }

    private PolicySet read() throws IOException {
        PolicySet read = PolicyFile.read(file, ANYBODY);
        home.use(read.settings().certificates());
        return read;
    }

    private synchronized void look() {
        nextLook = clock.instant().plus(INTERVAL);
        try {
            PermissionCheck.forThisUser().part(file).requireNoFinding();
            unsafe = null;
            FileStamp now = FileStamp.of(file);
            if (now.equals(seen)) {
                return;
            }
            seen = now; // also for an invalid file, so that it is logged once
            current = read();
            LOG.info("policies reloaded, version {}", current.version());
        } catch (KeystoreUnusableException e) {
            if (unsafe == null) {
                LOG.error("Signet opens no message: {}", e.getMessage()); // cleaned by its class
            }
            unsafe = e;
        } catch (IOException e) {
            complain(e.getClass().getSimpleName());
        } catch (InvalidPolicyException e) {
            complain(e.getMessage());
        }
    }

    private void complain(@Nullable String why) {
        LOG.warn(
                "policies not changed, version {} stays: {}: {}",
                current.version(),
                PrintableText.of(file.toString()),
                PrintableText.of(why));
    }
}
