/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;

/**
 * The group that some systems give each user, with the user's name and no other member. Folders of such users are
 * writable for the group by default. No other user can then write to them.
 */
public final class PrivateGroup {
    private static final Path GROUPS = Path.of("/etc/group");
    private static final Path USERS = Path.of("/etc/passwd");

    private PrivateGroup() {}

    /** Tells whether only the owner of the file is a member of its group. Returns false if this is not known. */
    public static boolean owns(Path file) {
        try {
            PosixFileAttributes attributes =
                    Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            String owner = attributes.owner().getName();
            return attributes.group().getName().equals(owner)
                    && isPrivate(owner, Files.readAllLines(GROUPS), Files.readAllLines(USERS));
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** Tells the same as {@link #owns}, by the lines of /etc/group and /etc/passwd. */
    static boolean isPrivate(String name, List<String> groups, List<String> users) {
        for (String line : groups) {
            String[] group = line.split(":", -1);
            if (group.length == 4 && group[0].equals(name)) {
                return (group[3].isEmpty() || group[3].equals(name)) && isPrimaryOfOneUser(group[2], name, users);
            }
        }
        return false;
    }

    private static boolean isPrimaryOfOneUser(String groupNumber, String name, List<String> users) {
        return users.stream()
                .map(line -> line.split(":", -1))
                .noneMatch(user -> user.length > 3 && user[3].equals(groupNumber) && !user[0].equals(name));
    }
}
