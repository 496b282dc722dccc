/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.perf.setting.Load.Limits;
import org.signetmq.perf.setting.Load.Producers;
import org.signetmq.perf.setting.Load.Style;

final class LoadTest {
    @ParameterizedTest
    @CsvSource({"1,1", "1,21", "8,21", "21,21", "81,21", "241,21", "81,1", "50,40"})
    void everyQueueThatIsAsked_isAnswered(int clients, int queues) {
        Load load = Load.of(clients, queues, 2048);

        var asked = IntStream.range(0, clients).mapToObj(load::queueOf).collect(Collectors.toSet());
        var answered =
                IntStream.range(0, load.responders()).mapToObj(load::queueOf).collect(Collectors.toSet());

        assertThat(answered).isEqualTo(asked);
    }

    @ParameterizedTest
    @CsvSource({"1,1,1", "32,1,32", "81,1,32", "81,40,40"})
    void responders_areOnePerClientUpTo32_andOnePerQueue(int clients, int queues, int responders) {
        assertThat(Load.of(clients, queues, 2048).responders()).isEqualTo(responders);
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
                .isThrownBy(() -> Load.of(clients, queues, size))
                .withMessage(message);
    }

    @Test
    void emptyPayload_isALoad() {
        assertThat(Load.of(1, 1, 0).size()).isZero();
    }

    static Stream<Load> loads() {
        return Stream.of(
                Load.of(1, 1, 0),
                Load.of(241, 21, 204_800),
                new Load(8, 1, 2048, new Style(Producers.ANONYMOUS, -1, Integer.MAX_VALUE)),
                new Load(8, 1, 2048, new Style(Producers.NAMED, 0, Integer.MAX_VALUE)),
                new Load(8, 1, 2048, new Style(Producers.ANONYMOUS, 1_048_576, 4096)),
                new Load(8, 1, 2048, Style.limited(new Limits(-1, 4096, 0))));
    }

    @ParameterizedTest
    @MethodSource("loads")
    void load_comesBackFromJson(Load load) {
        assertThat(Load.of(load.json())).isEqualTo(load);
    }

    @Test
    void usualStyle_isNotTold() {
        assertThat(Load.of(32, 21, 256).json().json()).hasToString("{\"clients\":32,\"queues\":21,\"size\":256}");
    }
}
