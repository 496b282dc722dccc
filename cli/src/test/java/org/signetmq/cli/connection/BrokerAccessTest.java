/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.cli.CliRun;
import org.signetmq.cli.CliRun.Result;
import org.signetmq.cli.connection.BrokerAccess.Credentials;
import org.signetmq.cli.console.ExitCode;

final class BrokerAccessTest {
    @ParameterizedTest
    @CsvSource({
        "tcp://localhost:61616, localhost, 61616",
        "tcp://my_broker:61616, my_broker, 61616",
        "tcp://a_b.example_c.org:5?sslEnabled=true, a_b.example_c.org, 5",
        "tcp://[::1]:61616, ::1, 61616"
    })
    void hostOfTheUrl_isTheOneConnectedTo(String url, String host, String port) {
        try (ActiveMQConnectionFactory factory = new BrokerAccess(url, Credentials.NONE).factory()) {
            assertThat(factory.getStaticConnectors())
                    .singleElement()
                    .satisfies(connector -> assertThat(connector.getParams())
                            .hasEntrySatisfying(
                                    "host",
                                    value -> assertThat(value.toString()).isIn(host, "[" + host + "]"))
                            .hasEntrySatisfying(
                                    "port", value -> assertThat(value).hasToString(port)));
        }
    }

    @Test
    void parametersOfTheUrl_holdForSuchAHostToo() {
        try (ActiveMQConnectionFactory factory =
                new BrokerAccess("tcp://my_broker:61616?sslEnabled=true", Credentials.NONE).factory()) {
            assertThat(factory.getStaticConnectors()[0].getParams()).containsEntry("sslEnabled", "true");
        }
    }

    @Test
    void hostWithUnderscore_isNoUsageError(@TempDir Path folder) {
        Result result = new CliRun(folder).run("broker", "status", "tcp://no_such_host.invalid:1");

        assertThat(result.exitCode()).isEqualTo(ExitCode.BROKER);
        assertThat(result.err()).startsWith("signet: error: broker tcp://no_such_host.invalid:1: cannot be reached");
    }
}
