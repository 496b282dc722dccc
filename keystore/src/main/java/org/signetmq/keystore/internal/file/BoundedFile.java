/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.signetmq.keystore.KeystoreUnusableException;

/** Reads whole files up to a length in bytes. */
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
}
