/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.console.ExitCode;
import org.signetmq.testkit.Ports;

final class BrokerCommandsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"localhost:61616", "amqp://localhost:5672", "tcp://localhost", "tcp://", "not a url"})
    void urlThatIsNoBrokers_isAUsageError(String url) {
        Result result = new CliRun(folder).run("broker", "status", url);

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).startsWith("signet: error: broker URL: not like tcp://HOST:PORT: " + url);
    }

    @Test
    void brokerThatIsNotThere_exitsWith4() throws IOException {
        String url = "tcp://127.0.0.1:" + Ports.free();

        Result result = new CliRun(folder).run("broker", "status", url);

        assertThat(result.exitCode()).isEqualTo(ExitCode.BROKER);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("signet: error: broker " + url + ": cannot be reached\nsignet: hint: ");
    }

    @Test
    void userWithoutPasswordAndTerminal_exitsWith3() {
        Result result = new CliRun(folder).run("broker", "status", "tcp://127.0.0.1:1", "--user", "admin");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains("--broker-password-file FILE or SIGNET_BROKER_PASSWORD");
    }

    @Test
    void passwordFileThatIsNotThere_isNamed() {
        Result result = new CliRun(folder)
                .run("broker", "status", "tcp://127.0.0.1:1", "--user", "a", "--broker-password-file", "none");

        assertThat(result.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(result.err()).contains("none: no such file or folder");
    }

    @Test
    void browsing_needsTheIdentityBeforeTheBroker() {
        CliRun signet = new CliRun(folder);
        signet.ok("identity", "create", "alice", "--dn", "CN=alice");

        Result result = signet.run("queue", "browse", "orders", "--broker", "tcp://127.0.0.1:1", "--as", "nobody");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains("nobody");
    }

    @Test
    void browsingWithAHomeThatIsNotThere_namesTheHome() {
        Result result =
                new CliRun(folder).run("queue", "browse", "orders", "--broker", "tcp://127.0.0.1:1", "--as", "alice");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains("signet-home: no such folder");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--limit=0", "--max-payload=-1", "--max-payload=2000000000"})
    void boundsThatCannotBe_areUsageErrors(String option) {
        Result result = new CliRun(folder)
                .run("queue", "browse", "orders", "--broker", "tcp://127.0.0.1:1", "--as", "alice", option);

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void folderThatIsNoInstance_exitsWith3AndStaysAsItIs() throws IOException {
        Files.createDirectories(folder.resolve("other"));

        Result result = new CliRun(folder).run("broker", "uninstall", "other");

        assertThat(result.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(result.err()).contains("other: not a broker instance, which has etc/broker.xml and bin/artemis");
        assertThat(folder.resolve("other")).isEmptyDirectory();
    }
}
