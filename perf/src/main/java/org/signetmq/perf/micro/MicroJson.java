/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Micro-benchmark results as JSON. */
final class MicroJson {
    /** The list of what sealing adds, beside the results. */
    static final String SIZES = "sizes";

    /** The list of fitted laws, beside the results. */
    static final String LAWS = "laws";

    private MicroJson() {}

    /** A row for each that was measured; those that failed are listed elsewhere. */
    static List<Map<String, Object>> results(List<Measured> measured) {
        return measured.stream()
                .filter(row -> !row.failed())
                .map(MicroJson::result)
                .toList();
    }

    private static Map<String, Object> result(Measured row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", row.row().name());
        json.put("us_per_op", row.microsPerOp());
        if (!Double.isNaN(row.bytesPerOp())) {
            json.put("bytes_per_op", row.bytesPerOp());
        }
        json.put("spread", row.spread());
        json.put("threads", row.row().threads());
        json.put("crypto", row.row().crypto().toString());
        return json;
    }

    static Map<String, List<Map<String, Object>>> beside(Map<String, Integer> sizes, List<ReuseLaw.Fitted> laws) {
        Map<String, List<Map<String, Object>>> lists = new LinkedHashMap<>();
        lists.put(SIZES, EnvelopeSizes.rows(sizes));
        lists.put(LAWS, laws.stream().map(ReuseLaw.Fitted::row).toList());
        return lists;
    }
}
