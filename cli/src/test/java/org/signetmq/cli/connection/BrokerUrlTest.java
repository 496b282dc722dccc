/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.cli.connection.BrokerAccess.Credentials;
import org.signetmq.cli.console.CliException;

final class BrokerUrlTest {
    @Test
    void list_isSplitBetweenUrls_notInsideOne() {
        assertThat(BrokerUrl.split("tcp://a:1,tcp://b:2")).containsExactly("tcp://a:1", "tcp://b:2");
        assertThat(BrokerUrl.split("(tcp://a:1,tcp://b:2)?ha=true,tcp://c:3,(tcp://d:4,tcp://e:5)"))
                .containsExactly("(tcp://a:1,tcp://b:2)?ha=true", "tcp://c:3", "(tcp://d:4,tcp://e:5)");
        assertThat(BrokerUrl.split("tcp://a:1?enabledProtocols=TLSv1.2,TLSv1.3,tcp://b:2"))
                .containsExactly("tcp://a:1?enabledProtocols=TLSv1.2,TLSv1.3", "tcp://b:2");
        assertThat(BrokerUrl.split("tcp://a:1,")).containsExactly("tcp://a:1", "");
        assertThat(BrokerUrl.split("")).isEqualTo(List.of(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tcp://localhost:61616",
                "tcp://localhost:61617?sslEnabled=true&trustStorePath=/a/b.p12",
                "(tcp://a:1,tcp://b:2)?ha=true",
                "(tcp://my_a:1?sslEnabled=true,tcp://b:2)",
                "(tcp://a:1)",
                "tcp://[::1]:61616",
            })
    void urlOfAClient_isAccepted(String url) {
        assertThatCode(() -> BrokerUrl.require(url)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tcp://a",
                "amqp://a:1",
                "vm://0",
                "(tcp://a:1,b:2)",
                "(tcp://a:1",
                "tcp://a:1)",
                "((tcp://a:1))",
                "()",
                "(tcp://a:1,)",
                "(tcp://a:1,tcp://b:2)?a=%zz&keyStorePassword=x",
                "tcp://a:1 ",
                "tcp://a:1,tcp://b:2",
            })
    void otherText_isRejected(String url) {
        assertThatThrownBy(() -> BrokerUrl.require(url)).isInstanceOf(CliException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp://a:1?sslEnabled=true | tcp://a:1?sslEnabled=true",
                "tcp://a:1?keyStorePassword=s3cret&x=1 | tcp://a:1?keyStorePassword=***&x=1",
                "tcp://a:1?user=u&password=s3,c(r)et | tcp://a:1?user=u&password=***",
                "(tcp://a:1?trustStorePassword=s3cret,tcp://b:2) | (tcp://a:1?trustStorePassword=***",
            })
    void passwordInAUrl_isNotShown(String url, String shown) {
        assertThat(BrokerUrl.shown(url)).isEqualTo(shown);
        assertThat(new BrokerAccess(url, Credentials.NONE).name()).isEqualTo("broker " + shown);
    }

    @Test
    void passwordOfALogin_isNotShown() {
        assertThat(new BrokerAccess("tcp://a:1", new Credentials("u", "s3cret", Map.of("x", "s3cret"))))
                .asString()
                .doesNotContain("s3cret");
    }
}
