/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;

/** The number of the user that this process runs as. */
public final class ProcessUser {
    public static final int ROOT = 0;
    private static final int ID = read();

    private ProcessUser() {}

    public static int id() {
        return ID;
    }

    public static boolean isRoot() {
        return ID == ROOT;
    }

    /** Returns the principal of root, found by its number. */
    public static UserPrincipal root() throws IOException {
        return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(Integer.toString(ROOT));
    }

    private static int read() {
        try {
            return (int) new UnixSystem().getUid();
        } catch (LinkageError smallRuntime) {
            return ownerOfProcess();
        }
    }

    private static int ownerOfProcess() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | RuntimeException e) {
            return -1; // no user, so that only files of root are accepted
        }
    }
}
