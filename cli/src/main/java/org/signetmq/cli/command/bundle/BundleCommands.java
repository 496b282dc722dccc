/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.bundle;

import org.signetmq.cli.console.Subcommand;
import picocli.CommandLine.Command;

/** The commands {@code signet bundle}. */
@Command(
        name = "bundle",
        description = "Hands a consumer what its home needs, in one signed file: certificates, trust and policies.",
        subcommands = {
            BundleExportCommand.class,
            BundleImportCommand.class,
            BundleShowCommand.class,
            BundleWithdrawCommand.class
        })
public final class BundleCommands extends Subcommand {}
