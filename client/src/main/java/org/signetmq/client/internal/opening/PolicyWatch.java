/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.file.FileStamp;
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
final class PolicyWatch implements Supplier<@Nullable PolicySet> {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyWatch.class);
    private static final long INTERVAL_MILLIS = 1_000;

    /** Accepts all names in policies. A consumer needs no certificates of others, and an unknown party cannot sign. */
    private static final PartyValidator ANYBODY = PartyValidator.acceptAll();

    private final Path file;
    private final List<X509Certificate> officers;
    private final Clock clock;
    private volatile @Nullable PolicySet current;
    private volatile long nextLook;
    private FileStamp seen;
    private volatile @Nullable KeystoreUnusableException unsafe;

    /**
     * Reads the file, if it is there.
     *
     * @param officers those who must sign the policies; empty if no signature is needed
     * @throws IOException if it cannot be read
     * @throws KeystoreUnusableException if other users may write to it
     * @throws InvalidPolicyException if its policies cannot work
     */
    PolicyWatch(Path file, List<X509Certificate> officers, Clock clock) throws IOException {
        this.file = file;
        this.officers = officers;
        this.clock = clock;
        PermissionCheck.forThisUser().part(file).requireNoFinding();
        this.seen = FileStamp.of(file);
        this.current = seen.exists() ? read() : null;
        this.nextLook = clock.millis() + INTERVAL_MILLIS;
    }

    /**
     * Reads the text of a set in UTF-8.
     *
     * @param officers those of whom one must have signed it; empty if no signature is needed
     * @throws InvalidPolicyException if it is not signed as it must be, or its policies cannot work
     */
    static PolicySet parse(byte[] text, List<X509Certificate> officers) {
        return PolicyFile.parse(SignedPolicies.open(text, officers).json(), ANYBODY);
    }

    private PolicySet read() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return parse(in.readNBytes(PolicyFile.LONGEST + 1), officers);
        }
    }

    /** Returns the policies; null if the file has never been there. */
    @Override
    public @Nullable PolicySet get() {
        if (clock.millis() >= nextLook) {
            look();
        }
        KeystoreUnusableException problem = unsafe;
        if (problem != null) {
            throw new KeystoreUnusableException(String.valueOf(problem.getMessage()), problem);
        }
        return current;
    }

    private synchronized void look() {
        nextLook = clock.millis() + INTERVAL_MILLIS;
        try {
            PermissionCheck.forThisUser().part(file).requireNoFinding();
            unsafe = null;
            FileStamp now = FileStamp.of(file);
            if (now.equals(seen)) {
                return;
            }
            seen = now; // also for an invalid file, so that it is logged once
            if (current == null && !now.exists()) {
                return;
            }
            PolicySet read = read();
            if (!officers.isEmpty() && read.version() < version()) {
                complain("signed, but its version " + read.version() + " is older");
                return;
            }
            current = read;
            LOG.info("policies reloaded, version {}", read.version());
        } catch (KeystoreUnusableException e) {
            if (unsafe == null) {
                LOG.error("Signet opens no message: {}", e.getMessage()); // cleaned by its class
            }
            unsafe = e;
        } catch (IOException | InvalidPolicyException e) {
            complain(e instanceof IOException ? e.getClass().getSimpleName() : e.getMessage());
        }
    }

    private long version() {
        PolicySet known = current;
        return known == null ? 0 : known.version();
    }

    private void complain(@Nullable String why) {
        LOG.warn(
                "policies not changed, version {} stays: {}: {}",
                version(),
                PrintableText.of(file.toString()),
                PrintableText.of(why, PrintableText.LONGEST_REASON));
    }
}
