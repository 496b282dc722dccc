/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for a token in commands that work on keys of the home alone. They refuse it. */
public final class NoTokenOption {
    @Option(names = TokenOption.NAME, paramLabel = TokenOption.LABEL, hidden = true)
    private @Nullable String uri;

    /**
     * Refuses the option if it is given.
     *
     * @param instead says what to do with a key in a token
     */
    public void refuse(String instead) {
        if (uri != null) {
            throw CliException.usage("--key-store: this command works on keys of the home alone; " + instead);
        }
    }
}
