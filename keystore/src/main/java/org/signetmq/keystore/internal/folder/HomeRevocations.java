/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.file.BoundedFile;
import org.signetmq.keystore.internal.revocation.OcspAnswer;
import org.signetmq.keystore.internal.revocation.RevocationCheck;
import org.signetmq.keystore.internal.revocation.RevocationList;
import org.signetmq.keystore.internal.revocation.RevocationLists;
import org.signetmq.keystore.internal.revocation.RevocationUpdater;
import org.signetmq.keystore.trust.RevocationReport;

/** The settings and revocations of a home: {@code trust.json}, {@code crl/}, {@code ocsp/} and what was fetched. */
final class HomeRevocations {
    private static final Duration DAY = Duration.ofDays(1);

    private final WatchedTrustFile settings;
    private final WatchedFolder<List<RevocationList>> crl;
    private final WatchedFolder<OcspAnswer> ocsp;
    private final RevocationUpdater updater;
    private final Clock clock;
    private volatile Pinned pinned = new Pinned(-1, Instant.EPOCH);

    /** The last look for the home's own certificates. */
    private record Pinned(long files, Instant at) {
        boolean holds(long now, Instant time) {
            return files == now && Duration.between(at, time).abs().compareTo(DAY) < 0;
        }
    }

    HomeRevocations(RevocationFiles files, LongSupplier nanoTime, RevocationUpdater.Mode mode, Clock clock) {
        this.clock = clock;
        this.settings = new WatchedTrustFile(files.settings(), nanoTime);
        this.crl = new WatchedFolder<>(files.crl(), CertificateFiles::readLists, nanoTime);
        this.ocsp = new WatchedFolder<>(files.ocsp(), HomeRevocations::readAnswer, nanoTime);
        this.updater = new RevocationUpdater(files.fetched(), clock, mode);
    }

    private static OcspAnswer readAnswer(Path file) {
        try {
            return OcspAnswer.fromDer(BoundedFile.read(file, OcspAnswer.MOST_BYTES));
        } catch (KeystoreUnusableException unusable) {
            throw new KeystoreUnusableException(file.getFileName() + ": " + unusable.getMessage(), unusable);
        }
    }

    private static List<String> problems(WatchedFolder.Contents<?> contents) {
        return contents.files().values().stream()
                .map(WatchedFolder.Parsed::problem)
                .filter(Objects::nonNull)
                .map(String::valueOf)
                .toList();
    }

    RevocationUpdater updater() {
        return updater;
    }

    /**
     * Returns the state of the sources.
     *
     * @throws KeystoreUnusableException if {@code trust.json} was never right
     */
    RevocationReport report() {
        WatchedTrustFile.Look now = settings.look();
        var unused = now.usable();
        return updater.report().with(now.problem());
    }

    /** Returns the files now. */
    Look look() {
        WatchedTrustFile.Look inForce = settings.look();
        TrustFile usable = inForce.usable();
        updater.use(usable.revocation());
        // the version of what was fetched is read first, so that a later change is seen later
        return new Look(updater.version(), inForce, crl.settled(), ocsp.settled());
    }

    /** One state of the files. */
    final class Look {
        private final long fetched;
        private final WatchedTrustFile.Look inForce;
        private final WatchedFolder.Settled<List<RevocationList>> lists;
        private final WatchedFolder.Settled<OcspAnswer> answers;

        private Look(
                long fetched,
                WatchedTrustFile.Look inForce,
                WatchedFolder.Settled<List<RevocationList>> lists,
                WatchedFolder.Settled<OcspAnswer> answers) {
            this.fetched = fetched;
            this.inForce = inForce;
            this.lists = lists;
            this.answers = answers;
        }

        /** Returns a number that grows with each change of the files. */
        long version() {
            return inForce.version()
                    + lists.contents().version()
                    + answers.contents().version();
        }

        /** Returns the version of what was fetched. */
        long fetched() {
            return fetched;
        }

        /** Returns the end of the time in which the files stay the same. */
        long until() {
            return FolderTrust.earlier(inForce.until(), FolderTrust.earlier(lists.until(), answers.until()));
        }

        /** Returns the rules for certificates. The certificates of the home may have issued others. */
        TrustSnapshot.Rules rules(Collection<X509Certificate> certificates) {
            List<OcspAnswer> read = answers.contents().files().values().stream()
                    .map(WatchedFolder.Parsed::value)
                    .filter(Objects::nonNull)
                    .toList();
            RevocationLists files =
                    new RevocationLists(FolderTrust.values(lists.contents()), problems(lists.contents()), certificates);
            RevocationCheck.Files ofHome =
                    new RevocationCheck.Files(files, read, problems(answers.contents()), certificates);
            return new TrustSnapshot.Rules(
                    inForce.usable().keys(),
                    new RevocationCheck(inForce.usable().revocation(), ofHome, updater));
        }
    }

    /**
     * Lets the states of the home's own certificates be fetched before messages need them. It looks for them after a
     * change of the files, and again if a day passes or the clock jumps, because the time decides which are usable.
     *
     * @param files the version of the files; fetched answers change no certificate of the home
     */
    void pin(long files, TrustSnapshot snapshot) {
        Instant now = clock.instant();
        if (!pinned.holds(files, now)) {
            pinned = new Pinned(files, now);
            updater.pin(() -> snapshot.issuedParties(clock.instant()));
        }
    }
}
