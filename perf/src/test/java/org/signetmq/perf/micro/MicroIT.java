/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.perf.Ran;
import org.signetmq.perf.micro.Row.Crypto;
import org.signetmq.perf.micro.Row.Depth;
import org.signetmq.perf.result.Parts;
import org.signetmq.perf.result.Result;
import org.signetmq.testkit.Tier;

/** Rows measured in earnest. */
@Tag(Tier.LONG)
final class MicroIT {
    @TempDir
    private Path folder;

    @Test
    void row_isMeasured_andNothingStaysBehind() throws Exception {
        Path json = folder.resolve("micro.json");
        Path temporary = folder.resolve("temporary");

        Ran ran = Ran.fromJar(
                temporary,
                Duration.ofMinutes(10),
                "micro",
                "--quick",
                "--rows",
                "limit\\.sha512",
                "--json",
                json.toString());

        assertThat(ran.exitCode()).describedAs(ran.err()).isZero();
        assertThat(ran.out()).contains("limit.sha512").contains("size.confidentiality.p256");
        JsonNode file = new ObjectMapper().readTree(json.toFile());
        assertThat(file.path("command").asText())
                .isEqualTo("./signet perf micro --quick --rows 'limit\\.sha512' --json " + json);
        assertThat(file.path("results").path(0).path("us_per_op").asDouble()).isPositive();
        try (Stream<Path> files = Files.list(temporary)) {
            assertThat(files.map(Path::getFileName).map(Path::toString).toList())
                    .as("logs of what went well")
                    .noneMatch(name -> name.endsWith(".log"));
        }
    }

    @Test
    void rowThatCannotBePrepared_fails_andNamesItsLog() throws Exception {
        Result unknown = Result.EMPTY.with("operation", "limit.rot13").with("size", "1");

        Row row = new Row(unknown, 1, Crypto.JAVA_ONLY, Depth.SHORT);

        IOException thrown = catchThrowableOfType(IOException.class, () -> new JmhRunner(folder).measure(row));

        String failure = Parts.reason(thrown);
        assertThat(failure).contains(", see ");
        Path log = Path.of(failure.substring(failure.indexOf(", see ") + ", see ".length()));
        assertThat(log).content().contains("unknown limit");
        Files.delete(log);
    }
}
