/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import org.signetmq.cli.console.ExitCode;
import org.signetmq.cli.console.NoTokenOption;
import org.signetmq.cli.console.PasswordOptions;
import org.signetmq.cli.console.Subcommand;
import org.signetmq.keystore.enrolment.PasswordChange;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code signet identity password}. */
@Command(
        name = "password",
        description =
                "Changes the password of all keys of an identity: current, former, retired and pending ones. If it "
                        + "is interrupted, the same command completes the change.",
        footer = {
            "  signet identity password alice",
            "  signet identity password alice --password-file OLD --new-password-file NEW",
        })
final class PasswordCommand extends Subcommand {
    @Parameters(paramLabel = "NAME", description = "An identity of the home.")
    private String name = "";

    @Mixin
    private final PasswordOptions passwords = new PasswordOptions();

    @Mixin
    private final NewPasswordOptions newPassword = new NewPasswordOptions();

    @Mixin
    private final NoTokenOption token = new NoTokenOption();

    @Override
    public Integer call() {
        token.refuse("change the PIN of a token by its own program, and then its pin-source");
        Home home = context.existingHome();
        IdentityCommands.requireKey(name, home);
        try (Password old = passwords.existing(context);
                Password next = newPassword.fresh(context)) {
            int files = new PasswordChange(home).change(name, old, next);
            context.print(name + ": password changed, " + (files == 1 ? "1 key" : files + " keys"));
        }
        context.say("give the new password to the programs that use " + name
                + ": a broker needs it now, a consumer at its next start");
        return ExitCode.OK;
    }
}
