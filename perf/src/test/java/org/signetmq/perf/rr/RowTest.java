/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.result.Result;

final class RowTest {
    @Test
    void rows_haveTheirMediansAndWhatTheyAreOf() {
        JsonNode json = new ObjectMapper().valueToTree(Figured.results());

        assertThat(json).hasSize(3);
        JsonNode row = json.path(1);
        assertThat(row.path("quality").asText()).isEqualTo("confidentiality");
        assertThat(row.path("reuse").asInt()).isEqualTo(32);
        assertThat(row.path("key").asText()).isEqualTo("p256");
        assertThat(row.path("clients").asInt()).isEqualTo(32);
        assertThat(row.path("queues").asInt()).isEqualTo(1);
        assertThat(row.path("size").asInt()).isEqualTo(2048);
        assertThat(row.path("round_trips_per_s").asDouble()).isEqualTo(950);
        assertThat(row.path("share_of_none").asDouble()).isEqualTo(0.95, within(1e-9));
        assertThat(row.path("share_of_unlimited").asDouble()).isEqualTo(0.95, within(1e-9));
        assertThat(row.path("p50_us").asDouble()).isEqualTo(1e6 / 950);
        assertThat(row.path("p99_us").asDouble()).isEqualTo(2e6 / 950);
        assertThat(row.path("cpu_ms_per_round_trip").path("broker").asDouble()).isEqualTo(300.0 / 950);
        assertThat(row.path("cpu_ms_per_round_trip").path("client").asDouble()).isEqualTo(100.0 / 950);
        assertThat(row.path("cold").path("share_of_none").asDouble()).isEqualTo(0.5, within(1e-9));
        assertThat(row.path("runs").path("count").asInt()).isEqualTo(3);
        assertThat(row.path("runs").path("round_trips_per_s").path("min").asDouble())
                .isEqualTo(900);
        assertThat(row.path("runs").path("round_trips_per_s").path("max").asDouble())
                .isEqualTo(960);
    }

    @Test
    void unprotectedRow_namesNoKey() {
        Result none = Figured.results().get(0);

        assertThat(none.text("quality")).isEqualTo("none");
        assertThat(none.text("key")).isEqualTo("none");
        assertThat(none.number("share_of_none")).isEqualTo(1.0);
        assertThat(none.has("share_of_unlimited")).isFalse();
    }

    @Test
    void table_hasALinePerRow() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        new RrReport(Figured.results()).print(new PrintStream(bytes, true, StandardCharsets.UTF_8));

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .containsPattern("(?m)^none +32 +1 +1000 +1\\.000")
                .containsPattern("(?m)^confidentiality\\.32\\.p256 +32 +1 +950 +0\\.950 +0\\.900 +0\\.960")
                .containsPattern("(?s)right after connecting.*confidentiality\\.32\\.p256 +32 +1 +500 +0\\.500 ");
    }
}
