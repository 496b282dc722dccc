/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.signetmq.testkit.RecordingLogs;

/** The lines of the audit log that tests recorded. */
final class AuditLines {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String LEVEL = "INFO ";

    private AuditLines() {}

    /** All lines since {@link RecordingLogs#forget()} with this event. */
    static List<JsonNode> of(String event) {
        return all().stream()
                .filter(line -> line.get("event").asText().equals(event))
                .toList();
    }

    /** All lines since {@link RecordingLogs#forget()}. */
    static List<JsonNode> all() {
        return RecordingLogs.lines().stream()
                .filter(line -> line.startsWith(LEVEL + "{\"at\""))
                .map(AuditLines::parsed)
                .toList();
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line.substring(LEVEL.length(), line.length() - " null".length()));
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + line, e);
        }
    }
}
