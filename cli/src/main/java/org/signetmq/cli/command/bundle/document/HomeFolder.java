/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle.document;

import java.nio.file.Path;
import org.signetmq.keystore.home.Home;

/** A folder of a home whose files a bundle may have. */
public enum HomeFolder {
    RECIPIENTS("recipients", ".pem"),
    TRUST("trust", ".pem"),
    CRL("crl", ".crl");

    private final String key;
    private final String extension;

    HomeFolder(String key, String extension) {
        this.key = key;
        this.extension = extension;
    }

    /** Returns the name of the folder, which is the key in a bundle. */
    public String key() {
        return key;
    }

    /** Returns the name of a new file. */
    public String file(String name) {
        return name + extension;
    }

    public Path in(Home home) {
        return switch (this) {
            case RECIPIENTS -> home.recipients();
            case TRUST -> home.trust();
            case CRL -> home.crl();
        };
    }
}
