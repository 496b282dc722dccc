/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;

final class PasswordOptionsTest {
    @TempDir
    private Path folder;

    @Test
    void passwordFile_winsOverTheEnvironment() throws IOException {
        Path file = Files.writeString(folder.resolve("password"), "from the file\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        new CliRun(folder).ok("identity create alice --dn CN=alice --password-file password");

        Result environment = new CliRun(folder)
                .environment("SIGNET_PASSWORD", "from the file")
                .run("identity export alice --private-key");

        assertThat(environment.exitCode()).isZero();
    }

    @Test
    void terminal_isAskedTwiceForANewPasswordAndOnceForAnOldOne() {
        Deque<String> typed = new ArrayDeque<>(List.of("typed", "typed", "typed"));
        CliRun signet = new CliRun(folder)
                .withoutPassword()
                .terminal(prompt -> typed.pop().toCharArray());

        signet.ok("identity create alice --dn CN=alice");
        signet.ok("identity export alice --private-key");

        assertThat(typed).isEmpty();
    }

    @Test
    void terminal_typesTwoDifferentPasswords_nothingIsCreated() {
        Deque<String> typed = new ArrayDeque<>(List.of("typed", "tpyed"));
        CliRun signet = new CliRun(folder)
                .withoutPassword()
                .terminal(prompt -> typed.pop().toCharArray());

        Result result = signet.run("identity create alice --dn CN=alice");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(folder.resolve("signet-home/identities/alice.p12")).doesNotExist();
    }

    @Test
    void password_isNoOption() {
        Result result = new CliRun(folder).run("identity create alice --dn CN=alice --password x");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
    }
}
