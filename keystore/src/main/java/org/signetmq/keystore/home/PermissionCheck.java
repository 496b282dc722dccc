/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.internal.file.ProcessUser;
import org.signetmq.keystore.internal.file.ShellText;
import org.signetmq.keystore.internal.file.UnixAttributes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds files, folders and secrets that are open to other users. Others are all users but root, the user of the process
 * and, for reading alone, the members of its groups. The rule holds for a file, each folder above it and each link that
 * leads to it:
 *
 * <table>
 * <caption>The rule</caption>
 * <tr><td>owner</td><td>the user of the process, or root. For a process in root's group also the user of an image, who
 * gave the file to that group by {@code chmod g=u}, as OpenShift asks for</td></tr>
 * <tr><td>group may write</td><td>root's group. What is no secret, also a group of the process without other
 * members</td></tr>
 * <tr><td>group may read a secret</td><td>root's group, or a group of the process</td></tr>
 * <tr><td>all may write</td><td>no file. A sticky folder above what is checked, such as /tmp. Any sticky folder of root
 * on a read-only mount, such as a Secret of Kubernetes</td></tr>
 * <tr><td>others may read a secret</td><td>a file of root on a read-only mount</td></tr>
 * </table>
 *
 * <p>If the file system has no owners and modes, the check finds nothing and logs a warning once. Not thread-safe.
 */
public final class PermissionCheck {
    private static final Logger LOG = LoggerFactory.getLogger(PermissionCheck.class);
    private static final AtomicBoolean WARNED = new AtomicBoolean();
    private static final String KEY_STORE = ".p12";
    private static final int MOST_LINKS = 40;

    private final ProcessUser user;
    private final String userName;
    private final Supplier<MountTable> mounts;

    /** The findings by the command that corrects them. */
    private final Map<String, Finding> findings = new LinkedHashMap<>();

    /** The folders and links on the ways so far, which are judged once. */
    private final Map<Path, UnixAttributes> judged = new HashMap<>();

    /** What a path is for. */
    private enum Use {
        /** A file or folder whose content others must not change. */
        PART,

        /** A file that others must not read either. */
        SECRET,

        /** A folder or link on the way. */
        PLACE
    }

    PermissionCheck(ProcessUser user, String userName, Supplier<MountTable> mounts) {
        this.user = user;
        this.userName = userName;
        this.mounts = mounts;
    }

    /** Creates a check for the user of this process. */
    public static PermissionCheck forThisUser() {
        ProcessUser user = ProcessUser.current();
        String name = ProcessHandle.current().info().user().orElse(Integer.toUnsignedString(user.id()));
        return new PermissionCheck(user, name, MountTable::current);
    }

    /**
     * Returns the user to whom a path belongs, if this process is root and the user is not. An absent path belongs to
     * the owner of its folder. The name is that for {@code sudo -u}.
     *
     * @throws KeystoreUnusableException if this process is root, and other users can change the folders of the path
     */
    public static Optional<String> otherOwner(Path path) {
        if (!ProcessUser.current().isRoot() || !UnixAttributes.areKnown(path)) {
            return Optional.empty();
        }
        Path there = path.toAbsolutePath();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        try {
            Path real = there.toRealPath();
            UnixAttributes facts = UnixAttributes.of(real);
            if (facts.owner() != ProcessUser.ROOT) {
                String name = nameOfOwner(real, facts);
                return Optional.of(name.matches("[0-9]+") ? "'#" + name + "'" : name);
            }
        } catch (IOException e) {
            throw unreadable(path, e);
        }
        forThisUser().walk(there, Use.PLACE).requireNoFinding();
        return Optional.empty();
    }

    /** Rejects a folder or files in it that other users may change. */
    static void requireSafe(Path folder, List<Path> files) {
        PermissionCheck check = forThisUser().part(folder);
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
            files(folder).forEach(file -> walk(file, file.toString().endsWith(KEY_STORE) ? Use.SECRET : Use.PART));
        }
        part(home.policies());
        part(home.fetchedPolicies());
        part(home.officer());
        part(home.policyMark().file());
        part(home.trustSettings());
        part(home.fetchedRevocations()); // its files are verified each time they are read
        secret(home.root().resolve("password"));
        return this;
    }

    /** Checks a file or folder to which other users must not write. */
    public PermissionCheck part(Path path) {
        return walk(path, Use.PART);
    }

    /** Checks a file that other users must neither read nor change. */
    public PermissionCheck secret(Path file) {
        return walk(file, Use.SECRET);
    }

    private PermissionCheck walk(Path path, Use use) {
        if (!UnixAttributes.areKnown(path)) {
            warnOnce(path);
            return this;
        }
        try {
            Path rest = path.toAbsolutePath();
            for (int links = 0; rest != null; links++) {
                if (links > MOST_LINKS) {
                    throw new KeystoreUnusableException(ShellText.shown(path) + ": too many links");
                }
                rest = follow(rest, use);
            }
            return this;
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    /**
     * Judges a path from the root on, as far as it exists, up to its first link.
     *
     * @return the path on which it goes on behind the link; null if there is none
     */
    private @Nullable Path follow(Path path, Use use) throws IOException {
        Path at = path.getRoot();
        judge(at, UnixAttributes.of(at), Use.PLACE);
        for (int i = 0; i < path.getNameCount(); i++) {
            String name = path.getName(i).toString();
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (name.equals("..")) {
                at = at.getParent() == null ? at : at.getParent();
                continue;
            }
            boolean isEnd = i + 1 == path.getNameCount();
            Path next = at.resolve(name);
            UnixAttributes file = judged.get(next);
            if (file == null) {
                try {
                    file = UnixAttributes.of(next);
                } catch (NoSuchFileException absent) {
                    return null;
                }
                boolean isWay = file.isLink() || !isEnd;
                judge(next, file, isWay ? Use.PLACE : use);
                if (isWay) {
                    judged.put(next, file);
                }
            } else if (isEnd && !file.isLink()) {
                judge(next, file, use);
            }
            if (file.isLink()) {
                Path target = at.resolve(Files.readSymbolicLink(next));
                return isEnd ? target : target.resolve(path.subpath(i + 1, path.getNameCount()));
            }
            at = next;
        }
        return null;
    }

    private static KeystoreUnusableException unreadable(Path path, IOException cause) {
        return new KeystoreUnusableException(ShellText.shown(path) + ": its permissions cannot be read", cause);
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

    private void judge(Path path, UnixAttributes file, Use use) {
        if (!isOwn(file)) {
            String chown = file.isLink() ? "chown -h " : "chown ";
            add(path, "belongs to " + nameOfOwner(path, file) + ", not to " + userName, chown + userName);
        }
        if (file.isLink()) {
            return; // its mode means nothing
        }
        if (use == Use.SECRET) {
            boolean groupWrites = file.groupMayWrite() && file.group() != ProcessUser.ROOT;
            boolean othersRead = file.othersMayRead() || (file.groupMayRead() && !user.isIn(file.group()));
            if (groupWrites || file.othersMayWrite() || (othersRead && !isReadOnlyOfRoot(path, file))) {
                addOpenSecret(path, file);
            }
        } else if (file.othersMayWrite() || (file.groupMayWrite() && !isOwnGroup(path, file))) {
            boolean closed = file.isStickyFolder() && (use == Use.PLACE || isReadOnlyOfRoot(path, file));
            if (!closed) {
                addOpen(path, file, use == Use.PLACE ? "this folder" : "it");
            }
        }
    }

    /** Tells whether a file belongs to this user, to root, or as in OpenShift to the user of the image. */
    private boolean isOwn(UnixAttributes file) {
        boolean isOfImage = !user.isRoot()
                && user.groups().contains(ProcessUser.ROOT)
                && file.group() == ProcessUser.ROOT // which only root and its group can have made so
                && file.groupIsAsOwner();
        return file.owner() == user.id() || file.owner() == ProcessUser.ROOT || isOfImage;
    }

    private boolean isReadOnlyOfRoot(Path path, UnixAttributes file) {
        return file.owner() == ProcessUser.ROOT && mounts.get().isReadOnly(path);
    }

    /** Tells whether only root and this user are in the group of a file. */
    private boolean isOwnGroup(Path path, UnixAttributes file) {
        try {
            GroupPrincipal group = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .group();
            return user.isAloneIn(file.group(), group.getName());
        } catch (IOException e) {
            return false;
        }
    }

    private void addOpenSecret(Path path, UnixAttributes file) {
        String mend = "chmod 600";
        if (file.owner() != user.id()) {
            mend = user.isIn(file.group()) && file.group() != ProcessUser.ROOT ? "chmod 640" : "chown " + userName;
        }
        add(path, "other users than its owner may read or change this secret", mend);
    }

    private void addOpen(Path path, UnixAttributes file, String what) {
        boolean shared = file.passesItsGroup() && isOwnGroup(path, file); // made for the group, so it may stay so
        add(path, "other users than its owner may write to " + what, shared ? "chmod o-w" : "chmod go-w");
    }

    private static String nameOfOwner(Path path, UnixAttributes attributes) {
        try {
            return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
        } catch (IOException | UncheckedIOException e) {
            return Integer.toString(attributes.owner());
        }
    }

    private void add(Path path, String what, String command) {
        String shown = ShellText.quoted(path);
        String mend = mounts.get().isReadOnly(path)
                ? command + " " + shown + " where it is not read-only; in Kubernetes, give the volume defaultMode: 0440"
                        + " and the pod an fsGroup"
                : command + " " + shown;
        findings.putIfAbsent(mend, new Finding(ShellText.shown(path), what, mend));
    }

    /** The mounts that this process sees. Only Linux tells them; elsewhere nothing counts as read-only. */
    record MountTable(List<MountTable.Mount> mounts) {
        record Mount(String id, String parent, String point, boolean isReadOnly) {
            /** Parses a line of /proc/self/mountinfo, see proc(5). */
            static Mount parse(String line) {
                List<String> fields = Arrays.asList(line.split(" "));
                int end = fields.indexOf("-"); // of the optional fields
                boolean readOnly = has(fields.get(5), "ro") || has(fields.get(end + 3), "ro");
                return new Mount(fields.get(0), fields.get(1), plain(fields.get(4)), end > 5 && readOnly);
            }

            private static boolean has(String options, String option) {
                return Arrays.asList(options.split(",")).contains(option);
            }

            private static String plain(String escaped) {
                return escaped.replace("\\040", " ")
                        .replace("\\011", "\t")
                        .replace("\\012", "\n")
                        .replace("\\134", "\\");
            }
        }

        /** Returns the present mounts. */
        public static MountTable current() {
            try {
                return parse(Files.readAllLines(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1));
            } catch (IOException | RuntimeException unknown) {
                return new MountTable(List.of());
            }
        }

        static MountTable parse(List<String> lines) {
            return new MountTable(lines.stream().map(Mount::parse).toList());
        }

        /**
         * Tells whether a path lies on a read-only mount.
         *
         * @param path an absolute path without links
         */
        public boolean isReadOnly(Path path) {
            if (!path.toString().chars().allMatch(character -> character < 0x80)) {
                return false; // Java and the table may write its name in different ways
            }
            Mount at = top(null, "/");
            for (int i = 1; i <= path.getNameCount() && at != null; i++) {
                at = top(at, "/" + path.subpath(0, i));
            }
            return at != null && at.isReadOnly();
        }

        /** Returns the mount that covers a path, whose parent lies on another mount. A covered mount has no effect. */
        private @Nullable Mount top(@Nullable Mount around, String point) {
            Mount at = around;
            for (boolean found = true; found; ) {
                found = false;
                for (Mount mount : mounts) {
                    if (mount.point().equals(point) && isOn(mount, at)) {
                        at = mount;
                        found = true;
                        break;
                    }
                }
            }
            return at;
        }

        private boolean isOn(Mount mount, @Nullable Mount around) {
            return around == null
                    ? mounts.stream()
                            .noneMatch(
                                    other -> !other.equals(mount) && other.id().equals(mount.parent()))
                    : !mount.equals(around) && mount.parent().equals(around.id());
        }
    }
}
