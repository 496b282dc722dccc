/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LoadTest {
    @ParameterizedTest
    @CsvSource({"1,1", "1,21", "8,21", "21,21", "81,21", "241,21", "81,1", "50,40"})
    void everyQueueThatIsAsked_isAnswered(int clients, int queues) {
        Load load = new Load(clients, queues, 2048);

        var asked = IntStream.range(0, clients).mapToObj(load::queueOf).collect(Collectors.toSet());
        var answered =
                IntStream.range(0, load.responders()).mapToObj(load::queueOf).collect(Collectors.toSet());

        assertThat(answered).isEqualTo(asked);
    }

    @ParameterizedTest
    @CsvSource({"1,1", "32,32", "81,32"})
    void responders_areOnePerClientUpTo32(int clients, int responders) {
        assertThat(new Load(clients, 1, 2048).responders()).isEqualTo(responders);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|1|2048|clients: must be above zero, found 0",
                "1|-1|2048|queues: must be above zero, found -1",
                "1|1|-1|size: must not be below zero, found -1"
            })
    void loadOfNothing_isRejected(int clients, int queues, int size, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Load(clients, queues, size))
                .withMessage(message);
    }

    @Test
    void emptyPayload_isALoad() {
        assertThat(new Load(1, 1, 0).size()).isZero();
    }
}
