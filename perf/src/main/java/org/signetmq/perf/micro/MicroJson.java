/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.signetmq.perf.ResultFile;

/** Micro-benchmark results as JSON. */
final class MicroJson {
    /** The list of what sealing adds, beside the results. */
    static final String SIZES = "sizes";

    private MicroJson() {}

    static void write(Path file, List<MicroRun.Measured> measured, Map<String, Integer> sizes) throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (MicroRun.Measured row : measured) {
            if (!row.failed()) {
                Map<String, Object> json = new LinkedHashMap<>();
                json.put("name", row.row().name());
                json.put("us_per_op", row.microsPerOp());
                json.put("bytes_per_op", row.bytesPerOp());
                json.put("spread", row.spread());
                json.put("threads", row.row().threads());
                json.put("crypto", row.row().crypto().toString());
                rows.add(json);
            }
        }
        ResultFile.write(file, rows, Map.of(SIZES, EnvelopeSizes.rows(sizes)));
    }
}
