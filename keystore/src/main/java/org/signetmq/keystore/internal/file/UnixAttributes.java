/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * The owner and the mode of a file itself, never of the file that a link leads to.
 *
 * @param owner the number of the owner
 * @param mode the type and permission bits of stat(2)
 */
public record UnixAttributes(int owner, int mode) {
    private static final int TYPE = 0170000;
    private static final int LINK = 0120000;
    private static final int STICKY = 01000;
    private static final int GROUP_WRITES = 020;
    private static final int OTHERS_WRITE = 02;
    private static final int OTHERS_IN_ANY_WAY = 077;

    /** Tells whether the file system of the path has these attributes. */
    public static boolean areKnown(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    public static UnixAttributes of(Path path) throws IOException {
        Map<String, Object> facts = Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
        return new UnixAttributes(number(facts, "uid"), number(facts, "mode"));
    }

    private static int number(Map<String, Object> facts, String name) {
        return (Integer) Objects.requireNonNull(facts.get(name));
    }

    public boolean isLink() {
        return (mode & TYPE) == LINK;
    }

    /** Tells whether only the owner of a file in this folder may rename or delete it. */
    public boolean isSticky() {
        return (mode & STICKY) != 0;
    }

    public boolean othersMayWrite() {
        return (mode & (GROUP_WRITES | OTHERS_WRITE)) != 0;
    }

    /** Tells whether the group may write, and users outside the group may not. */
    public boolean onlyGroupMayWrite() {
        return (mode & GROUP_WRITES) != 0 && (mode & OTHERS_WRITE) == 0;
    }

    public boolean othersHaveAccess() {
        return (mode & OTHERS_IN_ANY_WAY) != 0;
    }
}
