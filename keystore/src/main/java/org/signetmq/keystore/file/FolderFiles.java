/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of one folder, by names without a path. It never follows a link. */
interface FolderFiles extends Closeable {
    /** Returns the path of the folder, for messages. */
    Path path();

    /** Opens a file. Only its owner can read a new file. */
    FileChannel open(String name, Set<OpenOption> options) throws IOException;

    /** Returns the attributes of a file or link, those of POSIX if the system has them; null if it is absent. */
    @Nullable
    BasicFileAttributes attributes(String name) throws IOException;

    /** Gives a file these access rights as far as the file system has them. */
    void change(String name, AccessRights rights) throws IOException;

    /** Renames a file into a folder of the same kind, and replaces a file of the new name. */
    void move(String name, FolderFiles target, String newName) throws IOException;

    /** Deletes a file or a link, if it exists. */
    void delete(String name) throws IOException;

    /** Deletes an empty folder. */
    void deleteFolder(String name) throws IOException;

    List<String> names() throws IOException;

    /** Makes new names survive a loss of power. */
    void sync() throws IOException;
}
