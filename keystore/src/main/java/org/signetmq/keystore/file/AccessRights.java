/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;
import org.signetmq.keystore.internal.file.ProcessUser;

/** The owner, group and permissions for a new file. */
record AccessRights(UserPrincipal owner, GroupPrincipal group, Set<PosixFilePermission> permissions) {
    static final Set<PosixFilePermission> READABLE_FOLDER = PosixFilePermissions.fromString("rwxr-xr-x");
    static final Set<PosixFilePermission> PRIVATE_FOLDER = PosixFilePermissions.fromString("rwx------");

    /** Returns the permissions for the creation of a file or folder; empty if the file system has no permissions. */
    static FileAttribute<?>[] atCreation(Path path, Set<PosixFilePermission> permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** Returns the owner and group of this file or folder, with permissions that let only the owner write. */
    static AccessRights like(PosixFileAttributes file, Set<PosixFilePermission> permissions) {
        return new AccessRights(file.owner(), file.group(), withoutOtherWriters(permissions));
    }

    static Set<PosixFilePermission> withoutOtherWriters(Set<PosixFilePermission> permissions) {
        EnumSet<PosixFilePermission> closed = EnumSet.noneOf(PosixFilePermission.class);
        closed.addAll(permissions);
        closed.remove(PosixFilePermission.GROUP_WRITE);
        closed.remove(PosixFilePermission.OTHERS_WRITE);
        return closed;
    }

    /** Sets these rights on a file. Only root changes owner and group. */
    void giveTo(PosixFileAttributeView view) throws IOException {
        if (ProcessUser.isRoot()) {
            view.setOwner(owner);
            view.setGroup(group);
        }
        view.setPermissions(permissions);
    }
}
