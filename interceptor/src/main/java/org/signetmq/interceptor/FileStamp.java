/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What tells one state of a file from another without reading it.
 *
 * @param modified when it was last written
 * @param size in bytes, or -1 if there is no file
 * @param key what the file system calls it: another after it was replaced
 */
record FileStamp(FileTime modified, long size, @Nullable Object key) {
    private static final FileStamp ABSENT = new FileStamp(FileTime.fromMillis(0), -1, null);

    static FileStamp of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (IOException e) {
            return ABSENT;
        }
    }

    boolean exists() {
        return !equals(ABSENT);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileStamp that
                && size == that.size
                && modified.equals(that.modified)
                && Objects.equals(key, that.key);
    }

    @Override
    public int hashCode() {
        return Objects.hash(modified, size, key);
    }
}
