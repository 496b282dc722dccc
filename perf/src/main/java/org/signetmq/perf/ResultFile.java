/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results as JSON: {@code {"schema":1,"machine":{...},"results":[...]}}. */
public final class ResultFile {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ResultFile() {}

    /** Replaces the file whole. */
    public static void write(Path file, List<Map<String, Object>> results) throws IOException {
        write(file, results, Map.of());
    }

    /** As the other, with more lists of rows beside the results, each under its name. */
    public static void write(Path file, List<Map<String, Object>> results, Map<String, List<Map<String, Object>>> more)
            throws IOException {
        Map<String, Object> frame = new LinkedHashMap<>();
        frame.put("schema", 1);
        frame.put("machine", Machine.describe());
        frame.put("results", results);
        frame.putAll(more);
        Path folder = file.toAbsolutePath().getParent();
        Path draft = Files.createTempFile(folder, file.getFileName().toString(), ".tmp");
        JSON.writeValue(draft.toFile(), frame);
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
