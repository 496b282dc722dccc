/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.audit.AuditLog.AuditEvent;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.status.MicrometerMeters.MeterName;

/** Each event, reason and meter of the code stands in docs/operations.md, and no other one. */
final class OperationsDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "operations.md");
    private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| `([^`]+)` \\|");
    private static final Pattern EXAMPLE = Pattern.compile("(?m)^\\{\"at\":.*$");

    @Test
    void meters_areThoseOfTheCode() throws IOException {
        assertThat(names("## Metrics", "### Reasons"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(MeterName.values()).map(MeterName::text).toList());
    }

    @Test
    void reasons_areThoseOfTheCode() throws IOException {
        assertThat(names("### Reasons", "## Audit"))
                .containsExactlyInAnyOrderElementsOf(Stream.of(RejectionReason.values())
                        .map(RejectionReason::label)
                        .toList());
    }

    @Test
    void events_areThoseOfTheCodeWithAnExampleEach() throws IOException {
        List<String> events =
                Stream.of(AuditEvent.values()).map(AuditEvent::label).toList();

        assertThat(names("## Audit", "## Checks of a running broker")).containsExactlyInAnyOrderElementsOf(events);

        JsonMapper json = JsonMapper.builder().build();
        List<String> examples = EXAMPLE.matcher(section("## Audit", "## Checks of a running broker"))
                .results()
                .map(line -> line.group())
                .toList();
        assertThat(examples).hasSameSizeAs(events);
        for (String example : examples) {
            JsonNode line = json.readTree(example);
            assertThat(events).contains(line.get("event").asText());
            assertThat(line.get("broker").asText()).isNotEmpty();
        }
    }

    private static List<String> names(String from, String to) throws IOException {
        return FIRST_CELL
                .matcher(section(from, to))
                .results()
                .map(cell -> cell.group(1))
                .toList();
    }

    private static String section(String from, String to) throws IOException {
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf("\n" + from + "\n");
        int end = document.indexOf("\n" + to + "\n");
        assertThat(begin).isPositive().isLessThan(end);
        return document.substring(begin, end);
    }
}
