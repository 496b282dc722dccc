/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * The owner, the group and the mode of a file itself, never of the file that a link leads to.
 *
 * @param owner the number of the owner
 * @param group the number of the group
 * @param mode the type and permission bits of stat(2)
 */
public record UnixAttributes(int owner, int group, int mode) {
    private static final int TYPE = 0170000;
    private static final int FOLDER = 0040000;
    private static final int LINK = 0120000;
    private static final int SET_GROUP = 02000;
    private static final int STICKY = 01000;
    private static final int GROUP_READS = 040;
    private static final int GROUP_WRITES = 020;
    private static final int OTHERS_READ = 04;
    private static final int OTHERS_WRITE = 02;

    /** Tells whether the file system of the path has these attributes. */
    public static boolean areKnown(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    public static UnixAttributes of(Path path) throws IOException {
        Map<String, Object> facts = Files.readAttributes(path, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
        return new UnixAttributes(number(facts, "uid"), number(facts, "gid"), number(facts, "mode"));
    }

    private static int number(Map<String, Object> facts, String name) {
        return (Integer) Objects.requireNonNull(facts.get(name));
    }

    public boolean isLink() {
        return (mode & TYPE) == LINK;
    }

    /** Tells whether this is a folder in which only the owner of a file may rename or delete it. */
    public boolean isStickyFolder() {
        return (mode & TYPE) == FOLDER && has(STICKY);
    }

    /** Tells whether new files in this folder get its group. */
    public boolean passesItsGroup() {
        return has(SET_GROUP);
    }

    /** Tells whether the group has the rights of the owner, as after {@code chmod g=u}. */
    public boolean groupIsAsOwner() {
        return ((mode >> 3) & 7) == ((mode >> 6) & 7);
    }

    public boolean groupMayRead() {
        return has(GROUP_READS);
    }

    public boolean groupMayWrite() {
        return has(GROUP_WRITES);
    }

    public boolean othersMayRead() {
        return has(OTHERS_READ);
    }

    public boolean othersMayWrite() {
        return has(OTHERS_WRITE);
    }

    private boolean has(int bit) {
        return (mode & bit) != 0;
    }
}
