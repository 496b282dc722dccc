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

/** The files of one folder, each named without its path. A link is never followed. */
interface FolderFiles extends Closeable {
    /** The path of the folder, for messages. */
    Path path();

    /** Opens a file; a new one is for its owner alone. */
    FileChannel open(String name, Set<OpenOption> options) throws IOException;

    /** The attributes of a file, or of a link itself; those of POSIX where there are such. Null if it is absent. */
    @Nullable
    BasicFileAttributes attributes(String name) throws IOException;

    /** Gives a file these access rights as far as the file system has them. */
    void change(String name, AccessRights rights) throws IOException;

    /** Renames a file to a name in a folder of the same kind, in place of a file that may be there. */
    void move(String name, FolderFiles target, String newName) throws IOException;

    /** Deletes a file or a link, if there is one. */
    void delete(String name) throws IOException;

    List<String> names() throws IOException;

    /** Makes new names survive a loss of power. */
    void sync() throws IOException;
}
