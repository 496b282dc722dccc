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
 * Tells one state of a file from another without reading the file. A change of owner or permissions is a new state too.
 *
 * @param modified when the content was last written
 * @param changed when content, owner or permissions last changed; null where the file system does not say
 * @param size in bytes, or -1 if there is no file
 * @param key the file system's number of the file, another after the file was replaced; null where there is none
 */
public record FileStamp(
        FileTime modified,
        @Nullable Object changed,
        long size,
        @Nullable Object key) {
    private static final FileStamp ABSENT = new FileStamp(FileTime.fromMillis(0), null, -1, null);

    /** The state of the file, through links. A file with unreadable attributes counts as absent. */
    public static FileStamp of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            Object changed = UnixAttributes.areKnown(file) ? Files.getAttribute(file, "unix:ctime") : null;
            return new FileStamp(attributes.lastModifiedTime(), changed, attributes.size(), attributes.fileKey());
        } catch (IOException e) {
            return ABSENT;
        }
    }

    /** Whether there was a file. */
    public boolean exists() {
        return !equals(ABSENT);
    }
}
