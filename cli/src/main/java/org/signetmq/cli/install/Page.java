/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.io.IOException;
import java.util.Optional;

/**
 * The page for administrators on the broker's web server.
 *
 * @param wanted whether it is installed; empty if an earlier choice holds, at first false
 * @param war the bytes of the web application
 */
public record Page(Optional<Boolean> wanted, byte[] war) {
    /** Returns the page that this program carries. */
    public static Page carried(Optional<Boolean> wanted) throws IOException {
        return new Page(wanted, Jars.required(Instance.CONSOLE_WAR));
    }
}
