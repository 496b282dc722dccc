/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.file.PathWalk;
import org.signetmq.keystore.internal.file.PrivateGroup;
import org.signetmq.keystore.internal.file.ProcessUser;
import org.signetmq.keystore.internal.file.ShellText;
import org.signetmq.keystore.internal.file.UnixAttributes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds files and folders that other users may change, and secrets that other users may read. Each file, each folder
 * above it and each link to it must belong to the user or to root. No other user may write to them. A folder above the
 * home may be open to all users if it is sticky, like /tmp.
 *
 * <p>If the file system has no owners and modes, the check finds nothing and logs a warning once. Not thread-safe.
 */
public final class PermissionCheck {
    private static final Logger LOG = LoggerFactory.getLogger(PermissionCheck.class);
    private static final AtomicBoolean WARNED = new AtomicBoolean();
    private static final String KEY_STORE = ".p12";

    private final int user;
    private final String userName;

    /** The findings by the command that corrects them. */
    private final Map<String, Finding> findings = new LinkedHashMap<>();

    private final PathWalk parts = new PathWalk(new Rules(Use.PART));
    private final PathWalk secrets = new PathWalk(new Rules(Use.SECRET));
    private final PathWalk places = new PathWalk(new Rules(Use.PLACE));

    private enum Use {
        PART,
        SECRET,
        PLACE
    }

    private PermissionCheck(int user, String userName) {
        this.user = user;
        this.userName = userName;
    }

    /** Creates a check for the user of this process. */
    public static PermissionCheck forThisUser() {
        int id = ProcessUser.id();
        return new PermissionCheck(id, ProcessHandle.current().info().user().orElse(Integer.toString(id)));
    }

    /**
     * Creates a check for the user of this process. For root, it is a check for the owner of the file, because root
     * administers homes of other users. An absent file has the owner of its folder.
     */
    public static PermissionCheck forOwnerOf(Path file) {
        if (!ProcessUser.isRoot() || !UnixAttributes.areKnown(file)) {
            return forThisUser();
        }
        Path there = file.toAbsolutePath();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        try {
            Path real = there.toRealPath();
            return new PermissionCheck(
                    UnixAttributes.of(real).owner(), Files.getOwner(real).getName());
        } catch (IOException e) {
            return forThisUser();
        }
    }

    /** Rejects a folder or files in it that other users may change. */
    static void requireSafe(Path folder, List<Path> files) {
        PermissionCheck check = forOwnerOf(folder).part(folder);
        files.forEach(check::part);
        check.requireNoFinding();
    }

    /** Checks the home, all files in it that Signet reads, and the folders above it. */
    public PermissionCheck home(Home home) {
        part(home.root());
        for (Path folder : List.of(
                home.identities(),
                home.formerKeys(),
                home.retiredKeys(),
                home.pendingKeys(),
                home.recipients(),
                home.trust(),
                home.crl(),
                home.ocsp(),
                home.issued())) {
            part(folder);
            files(folder).forEach(file -> walk(file.toString().endsWith(KEY_STORE) ? secrets : parts, file));
        }
        part(home.policies());
        part(home.policyMark().file());
        part(home.trustSettings());
        part(home.fetchedRevocations()); // its files are verified each time they are read
        secret(home.root().resolve("password"));
        return this;
    }

    /** Checks a file or folder to which other users must not write. */
    public PermissionCheck part(Path path) {
        return walk(parts, path);
    }

    /** Checks a file that other users must neither read nor change. */
    public PermissionCheck secret(Path file) {
        return walk(secrets, file);
    }

    /** Checks a folder that other users may write to if it is sticky. */
    PermissionCheck place(Path folder) {
        return walk(places, folder);
    }

    private PermissionCheck walk(PathWalk walk, Path path) {
        if (!UnixAttributes.areKnown(path)) {
            warnOnce(path);
            return this;
        }
        try {
            walk.walk(path);
            return this;
        } catch (IOException e) {
            throw new KeystoreUnusableException(ShellText.shown(path) + ": its permissions cannot be read", e);
        }
    }

    private static void warnOnce(Path path) {
        if (WARNED.compareAndSet(false, true)) {
            LOG.warn(
                    "{}: this file system shows no owners and modes; see to it that other users can neither write there"
                            + " nor read passwords and keys",
                    ShellText.shown(path));
        }
    }

    private static List<Path> files(Path folder) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            stream.forEach(files::add);
        } catch (NotDirectoryException | NoSuchFileException e) {
            return files;
        } catch (IOException | DirectoryIteratorException e) {
            throw new KeystoreUnusableException(ShellText.shown(folder) + ": cannot be listed", e);
        }
        files.sort(null);
        return files;
    }

    /** Returns the findings in the order of the checks; an empty list if there are none. */
    public List<Finding> findings() {
        return List.copyOf(findings.values());
    }

    /**
     * Throws the first finding, if there is one.
     *
     * @throws KeystoreUnusableException with the first finding
     */
    public void requireNoFinding() {
        if (findings.isEmpty()) {
            return;
        }
        Finding first = findings.values().iterator().next();
        int more = findings.size() - 1;
        throw new KeystoreUnusableException(
                more == 0 ? first.toString() : first + " (and " + more + " more; signet doctor home lists all)");
    }

    private final class Rules implements PathWalk.Visitor {
        private final Use use;

        private Rules(Use use) {
            this.use = use;
        }

        @Override
        public void step(Path path, UnixAttributes attributes) {
            owner(path, attributes);
            if (!attributes.isLink()) {
                place(path, attributes);
            }
        }

        @Override
        public void end(Path path, UnixAttributes attributes) {
            owner(path, attributes);
            switch (use) {
                case SECRET -> {
                    if (attributes.othersHaveAccess()) {
                        add(path, "other users than its owner may read or change this secret", "chmod 600");
                    }
                }
                case PART -> {
                    if (attributes.othersMayWrite()) {
                        add(path, "other users than its owner may write to it", "chmod go-w");
                    }
                }
                case PLACE -> place(path, attributes);
            }
        }

        private void place(Path path, UnixAttributes attributes) {
            boolean privately = attributes.onlyGroupMayWrite() && PrivateGroup.owns(path);
            if (attributes.othersMayWrite() && !attributes.isSticky() && !privately) {
                add(path, "other users than its owner may write to this folder", "chmod go-w");
            }
        }

        private void owner(Path path, UnixAttributes attributes) {
            if (attributes.owner() != user && attributes.owner() != ProcessUser.ROOT) {
                String chown = attributes.isLink() ? "chown -h " : "chown ";
                add(path, "belongs to " + nameOfOwner(path, attributes) + ", not to " + userName, chown + userName);
            }
        }
    }

    private static String nameOfOwner(Path path, UnixAttributes attributes) {
        try {
            return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
        } catch (IOException | UncheckedIOException e) {
            return Integer.toString(attributes.owner());
        }
    }

    private void add(Path path, String what, String command) {
        String mend = command + " " + ShellText.quoted(path);
        findings.putIfAbsent(mend, new Finding(ShellText.shown(path), what, mend));
    }
}
