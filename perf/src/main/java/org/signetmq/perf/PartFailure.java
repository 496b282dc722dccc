/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of a measurement that gave no figures.
 *
 * @param name of the row, or of what was done
 * @param reason in one line
 */
public record PartFailure(String name, String reason) {
    /** What an exception says, or at least what it is. */
    public static PartFailure of(String name, Throwable cause) {
        String message = cause.getMessage();
        return new PartFailure(
                name, (message == null || message.isBlank() ? cause.toString() : message).replaceAll("\\s+", " "));
    }

    /** As the list {@code failed} in JSON. */
    public static List<Map<String, Object>> rows(List<PartFailure> failures) {
        return failures.stream().map(PartFailure::row).toList();
    }

    private Map<String, Object> row() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", name);
        row.put("reason", reason);
        return row;
    }
}
