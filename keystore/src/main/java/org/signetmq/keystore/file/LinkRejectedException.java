/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.file;

import java.io.IOException;
import java.nio.file.Path;
import org.signetmq.keystore.internal.file.ShellText;

/** A link that is not followed. */
final class LinkRejectedException extends IOException {
    private static final long serialVersionUID = 1L;

    LinkRejectedException(Path link) {
        super(ShellText.shown(link) + ": a link, which is not followed; name the file or folder that it leads to");
    }
}
