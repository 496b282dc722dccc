/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The user and the groups of a process.
 *
 * @param id the number of the user; -1 if it is unknown, so that only files of root are accepted
 * @param groups the numbers of its groups; empty if they are unknown
 */
public record ProcessUser(int id, Set<Integer> groups) {
    /** The number of root, and that of root's group. */
    public static final int ROOT = 0;

    private static final ProcessUser CURRENT = read();
    private static final Path USERS = Path.of("/etc/passwd");
    private static final Path GROUPS = Path.of("/etc/group");

    /** Returns the user of this process. */
    public static ProcessUser current() {
        return CURRENT;
    }

    public boolean isRoot() {
        return id == ROOT;
    }

    /** Tells whether members of a group are root or in the groups of this process. */
    public boolean isIn(int group) {
        return group == ROOT || groups.contains(group);
    }

    /**
     * Tells whether nobody but root and this user is in a group. A group that the system does not list, as that of a
     * volume in a container, has no other members. Returns false if the lists cannot be read.
     *
     * @param name the name of the group; its number if it has none
     */
    public boolean isAloneIn(int group, String name) {
        if (group == ROOT) {
            return true;
        }
        try {
            return isIn(group) && hasNoOtherMember(group, name, Files.readAllLines(GROUPS), Files.readAllLines(USERS));
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** Tells the same as {@link #isAloneIn}, by the lines of /etc/group and /etc/passwd. */
    boolean hasNoOtherMember(int group, String name, List<String> groupLines, List<String> userLines) {
        String number = Integer.toUnsignedString(group);
        List<String[]> users = userLines.stream()
                .map(line -> line.split(":", -1))
                .filter(user -> user.length > 3)
                .toList();
        Set<String> own = Set.of(Integer.toUnsignedString(id), Integer.toString(ROOT));
        Set<String> ownNames = users.stream()
                .filter(user -> own.contains(user[2]))
                .map(user -> user[0])
                .collect(Collectors.toSet());
        List<String[]> entries = groupLines.stream()
                .map(line -> line.split(":", -1))
                .filter(entry -> entry.length == 4 && entry[2].equals(number))
                .toList();
        boolean isOfDirectory = entries.isEmpty() && !name.equals(number); // its members are unknown here
        return !isOfDirectory
                && users.stream().noneMatch(user -> user[3].equals(number) && !own.contains(user[2]))
                && entries.stream()
                        .flatMap(entry -> List.of(entry[3].split(",")).stream())
                        .allMatch(member -> member.isEmpty() || ownNames.contains(member));
    }

    private static ProcessUser read() {
        try {
            return parse(Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1));
        } catch (IOException | RuntimeException noLinux) {
            return new ProcessUser(idOfSystem(), Set.of());
        }
    }

    /** Reads the effective user and group, and the other groups, from the lines of /proc/self/status. */
    static ProcessUser parse(List<String> status) {
        Set<Integer> groups = new HashSet<>(numbers("Groups:", status));
        groups.add(numbers("Gid:", status).get(1));
        return new ProcessUser(numbers("Uid:", status).get(1), Set.copyOf(groups));
    }

    private static List<Integer> numbers(String field, List<String> status) {
        String line = status.stream()
                .filter(found -> found.startsWith(field))
                .findFirst()
                .orElseThrow();
        return List.of(line.substring(field.length()).trim().split("\\s+")).stream()
                .filter(number -> !number.isEmpty())
                .map(Integer::parseUnsignedInt)
                .toList();
    }

    private static int idOfSystem() {
        try {
            return (int) new UnixSystem().getUid();
        } catch (LinkageError smallRuntime) {
            return -1;
        }
    }
}
