/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.internal.file.UnixAttributes;

/**
 * The state of a file by its attributes, without its content. A change of owner or permissions is a new state too.
 *
 * @param modified the time of the last change of the content
 * @param changed the time of the last change of content, owner or permissions; null if the file system has none
 * @param size in bytes, or -1 if there is no file
 * @param key the file system's number of the file, which a replacement changes; null if the file system has none
 */
public record FileStamp(
        FileTime modified,
        @Nullable Object changed,
        long size,
        @Nullable Object key) {
    private static final FileStamp ABSENT = new FileStamp(FileTime.fromMillis(0), null, -1, null);

    /** Returns the state of the file, through links. A file with unreadable attributes counts as absent. */
    public static FileStamp of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            Object changed = UnixAttributes.areKnown(file) ? Files.getAttribute(file, "unix:ctime") : null;
            return new FileStamp(attributes.lastModifiedTime(), changed, attributes.size(), attributes.fileKey());
        } catch (IOException e) {
            return ABSENT;
        }
    }

    /** Tells whether the file existed. */
    public boolean exists() {
        return !equals(ABSENT);
    }
}
