/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.micro.Row.Depth;
import org.signetmq.perf.result.Result;

final class RowTest {
    private static final Row ROW = new Row(
            Result.EMPTY.with("operation", "limit.sha512").with("size", "256"), 2, Crypto.JAVA_ONLY, Depth.QUICK);

    @ParameterizedTest
    @CsvSource({
        "2048,1,seal.PRIVACY,seal.privacy",
        "256,1,seal,seal.256",
        "2048,50,seal,seal.r50",
        "204800,5,seal,seal.204800.r5",
        "2048,1,limit.aes256gcm.encrypt,limit.aes256gcm.encrypt"
    })
    void name_hasAllValuesThatAreNotUsual(String size, String recipients, String operation, String name) {
        Result parameters =
                Result.EMPTY.with("operation", operation).with("size", size).with("recipients", recipients);

        assertThat(new Row(parameters, 1, Crypto.NATIVE, Depth.FULL).name()).isEqualTo(name);
    }

    @Test
    void name_keepsTheOrderOfTheParameters() {
        Result parameters = Result.EMPTY
                .with("operation", "seal")
                .with("quality", "CONFIDENTIALITY")
                .with("keys", "32")
                .with("key", "RSA2048");

        assertThat(Row.name(parameters)).isEqualTo("seal.confidentiality.32.rsa2048");
    }

    @Test
    void measuredRow_hasItsFiguresBetweenNameAndThreads() {
        assertThat(ROW.measured(1.5, 80, 1.1).json())
                .hasToString("{\"name\":\"limit.sha512.256\",\"us_per_op\":1.5,\"bytes_per_op\":80.0,\"spread\":1.1,"
                        + "\"threads\":2,\"crypto\":\"java-only\"}");
    }

    @Test
    void rowWithoutProfile_lacksItsBytes() {
        assertThat(ROW.measured(1.5, Double.NaN, 1.1).has("bytes_per_op")).isFalse();
    }

    @Test
    void failedRow_hasNoFigures() {
        assertThat(ROW.measured(Double.NaN, Double.NaN, Double.NaN).json())
                .hasToString("{\"name\":\"limit.sha512.256\",\"threads\":2,\"crypto\":\"java-only\"}");
    }

    @Test
    void severalThreads_warmUpLonger() {
        assertThat(Depth.FULL.warmups(1)).isEqualTo(5);
        assertThat(Depth.FULL.warmups(2)).isEqualTo(15);
        assertThat(Depth.SHORT.warmups(2)).isEqualTo(6);
    }

    @Test
    void row_takesItsIterationsAndASecond_inEachOfItsProcesses() {
        assertThat(Depth.FULL.of(1)).isEqualTo(Duration.ofSeconds(3 * (5 + 5 + 1)));
        assertThat(Depth.FULL.of(2)).isEqualTo(Duration.ofSeconds(3 * (15 + 5 + 1)));
        assertThat(Depth.QUICK.of(1)).isEqualTo(Duration.ofMillis(6 * 600 + 1000));
        assertThat(Depth.SHORT.of(1)).as("in this process").isEqualTo(Duration.ofMillis(4 * 350 + 1000));
    }
}
