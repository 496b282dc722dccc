/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import picocli.CommandLine.Option;

/** The option of commands that read. */
public final class JsonOption {
    @Option(names = "--json", description = "The result as JSON; its schema is in docs/cli.md.")
    public boolean wanted;
}
