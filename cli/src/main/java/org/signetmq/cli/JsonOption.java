/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import picocli.CommandLine.Option;

/** The option of commands that read. */
final class JsonOption {
    @Option(names = "--json", description = "The result as JSON; its schema is in docs/cli.md.")
    boolean wanted;
}
