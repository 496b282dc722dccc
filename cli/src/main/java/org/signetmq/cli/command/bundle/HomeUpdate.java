/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.signetmq.cli.command.bundle.document.HomeFolder;
import org.signetmq.cli.command.policy.access.PolicyChange.ReplaceAll;
import org.signetmq.cli.command.policy.access.PolicyStore;
import org.signetmq.keystore.file.OwnedFolder;
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
    private final OwnedFolder root;
    private final FileChannel lock;
    private final Map<HomeFolder, OwnedFolder> folders = new EnumMap<>(HomeFolder.class);
    private final Deque<Undo> done = new ArrayDeque<>();

    /** Takes back one step. */
    private interface Undo {
        void run() throws IOException;
    }

    /** Opens a home, and waits for other imports. */
    HomeUpdate(Home home) throws IOException {
        this.home = home;
        this.root = OwnedFolder.openOrMake(home.root());
        try {
            this.lock = root.lock(".bundles.lock");
        } catch (IOException e) {
            root.close();
            throw e;
        }
    }

    /** Writes the records alone. */
    void write(ImportRecords records) throws IOException {
        root.write(ImportRecords.FILE, records.bytes(), OwnedFolder.READABLE);
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
            keep(root, ImportRecords.FILE);
            write(records.before(newest));
            for (ImportPlan.Change change : plan.changes()) {
                write(change);
            }
            keep(root, String.valueOf(home.policies().getFileName()));
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
        OwnedFolder folder = folder(kind);
        String target = change.kind() == ImportPlan.Kind.REMOVED
                ? ""
                : kind.file(change.entry().name());
        if (!target.isEmpty()) {
            keep(folder, target);
            folder.write(target, change.entry().pem().getBytes(StandardCharsets.UTF_8), OwnedFolder.READABLE);
        }
        for (String file : change.there()) {
            if (!file.equals(target)) {
                keep(folder, file);
                folder.delete(file);
            }
        }
    }

    /** Keeps what a file is now. */
    private void keep(OwnedFolder folder, String file) throws IOException {
        Optional<byte[]> before = folder.read(file, MOST_BYTES);
        done.push(
                before.isEmpty()
                        ? () -> folder.delete(file)
                        : () -> folder.write(file, before.get(), OwnedFolder.READABLE));
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

    private OwnedFolder folder(HomeFolder kind) throws IOException {
        OwnedFolder known = folders.get(kind);
        if (known == null) {
            known = OwnedFolder.openOrMake(kind.in(home));
            folders.put(kind, known);
        }
        return known;
    }

    @Override
    public void close() throws IOException {
        for (OwnedFolder folder : folders.values()) {
            folder.close();
        }
        lock.close();
        root.close();
    }
}
