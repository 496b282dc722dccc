/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.perf.Ran;
import org.signetmq.testkit.Tier;

final class FilesystemCommandTest {
    @Tag(Tier.LONG)
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --scenario two       | --scenario: must be one of one, several, ha, several-ha, half-core, one-core, cold, coverage, found 'two'
            --brokers 0          | --brokers: must be above zero, found 0
            --size -1            | --size: must not be below zero, found -1
            --clients 0          | --clients: must be above zero, found 0
            --backlog 513        | --backlog: must not be above 512, found 513
            --backlog 0          | --backlog: must be above zero, found 0
            --seconds 0          | --seconds: must be above zero, found 0.0
            --folder /no/where   | --folder /no/where: not a folder to write to
            """)
    void wrongOption_isRejected_beforeAnythingIsMounted(String option, String message) throws Exception {
        Ran ran = Ran.perf(("filesystem " + option).split(" "));

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .isEqualTo("signet: error: " + message + "\nsignet: hint: see signet perf filesystem --help\n");
    }
}
