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

    @Test
    void noClients_isRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Load(0, 1, 2048));
    }
}
