/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.signetmq.keystore.KeystoreUnusableException;

/** Reads whole files up to a length in bytes, and lists folders. */
public final class BoundedFile {
    private BoundedFile() {}

    public static byte[] read(Path file, int maxBytes) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                throw new KeystoreUnusableException(file + ": larger than " + maxBytes + " bytes");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new KeystoreUnusableException(file + ": no such file", e);
        } catch (AccessDeniedException e) {
            throw new KeystoreUnusableException(file + ": may not be read by this user", e);
        } catch (IOException e) {
            throw new KeystoreUnusableException(file + ": cannot be read", e);
        }
    }

    /** Returns the files and folders in a folder, sorted; none if it is absent. */
    public static List<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (NoSuchFileException absent) {
            return List.of();
        } catch (IOException | UncheckedIOException e) {
            throw new KeystoreUnusableException(folder + ": cannot be listed", e);
        }
    }

    /** Returns the names of files in a folder without their extension, sorted. Hidden files do not count. */
    public static List<String> names(Path folder, String extension) {
        return list(folder).stream()
                .map(file -> String.valueOf(file.getFileName()))
                .filter(name -> name.endsWith(extension) && !name.startsWith("."))
                .map(name -> name.substring(0, name.length() - extension.length()))
                .toList();
    }
}
