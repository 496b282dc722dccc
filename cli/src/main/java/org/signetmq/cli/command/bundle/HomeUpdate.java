/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import org.signetmq.cli.command.bundle.document.HomeFolder;
import org.signetmq.cli.command.policy.access.PolicyChange.ReplaceAll;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.keystore.file.WholeFile;
import org.signetmq.keystore.home.Home;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;

/**
 * Writes an import into a home: all of it, or nothing. The policies follow the certificates. The record says first what
 * belongs to the signer, and last which bundle is in the home. A failure undoes what was done. After a loss of power in
 * between, the same import completes it. Not thread-safe.
 */
final class HomeUpdate implements AutoCloseable {
    private static final int MOST_BYTES = 64 << 20;

    private final Home home;
    private final WholeFile recordFile;
    private final FileChannel lock;
    private final Deque<Undo> done = new ArrayDeque<>();

    /** Takes back one step. */
    private interface Undo {
        void run() throws IOException;
    }

    /** Opens a home, and waits for other imports. */
    HomeUpdate(Home home) throws IOException {
        this.home = home;
        this.recordFile = new WholeFile(home.root().resolve(ImportRecords.FILE));
        WholeFile.makeFolder(home.root());
        this.lock = new WholeFile(home.root().resolve(".bundles.lock")).lock();
    }

    /** Writes the records alone. */
    void write(ImportRecords records) throws IOException {
        recordFile.write(records.bytes(), WholeFile.READABLE);
    }

    /**
     * Writes an import.
     *
     * @param records what the home recorded before
     * @param newest the record of this import
     * @return the policies that the home has after it
     */
    PolicySet write(ImportPlan plan, ImportRecords records, ImportRecords.Source newest) throws IOException {
        try {
            keep(recordFile);
            write(records.before(newest));
            for (ImportPlan.Change change : plan.changes()) {
                write(change);
            }
            keep(new WholeFile(home.policies()));
            PolicySet written = new PolicyStore(home)
                    .change(new ReplaceAll(plan.policies()), plan.policies().version(), PartyValidator.acceptAll());
            write(records.with(newest));
            return written;
        } catch (IOException | RuntimeException e) {
            undo(e);
            throw e;
        }
    }

    private void write(ImportPlan.Change change) throws IOException {
        HomeFolder kind = change.entry().folder();
        Path folder = kind.in(home);
        String target = change.kind() == ImportPlan.Kind.REMOVED
                ? ""
                : kind.file(change.entry().name());
        if (!target.isEmpty()) {
            WholeFile.makeFolder(folder);
            WholeFile file = new WholeFile(folder.resolve(target));
            Set<PosixFilePermission> permissions = keep(file);
            file.write(change.entry().pem().getBytes(StandardCharsets.UTF_8), permissions);
        }
        for (String there : change.there()) {
            if (!there.equals(target)) {
                WholeFile file = new WholeFile(folder.resolve(there));
                keep(file);
                file.delete();
            }
        }
    }

    /** Keeps what a file is now, and returns its permissions. */
    private Set<PosixFilePermission> keep(WholeFile file) throws IOException {
        Optional<byte[]> before = file.read(MOST_BYTES);
        Set<PosixFilePermission> permissions = file.permissionsOr(WholeFile.READABLE);
        done.push(before.isEmpty() ? file::delete : () -> file.write(before.get(), permissions));
        return permissions;
    }

    private void undo(Exception cause) {
        while (!done.isEmpty()) {
            try {
                done.pop().run();
            } catch (IOException | RuntimeException e) {
                cause.addSuppressed(e); // the others are undone all the same
            }
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
