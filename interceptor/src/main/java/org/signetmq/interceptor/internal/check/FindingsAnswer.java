/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Writes findings as JSON of a bounded length, because an answer of the management is one message. */
final class FindingsAnswer {
    /** The greatest length of the texts of all findings, in characters. */
    static final int LONGEST = 30_000;

    private FindingsAnswer() {}

    /**
     * The head of an answer.
     *
     * @param version the version of the plugin
     * @param artemis the version of the broker
     * @param time the time of the broker
     */
    record Broker(String version, String artemis, Instant time) {}

    /** Writes the findings of each area that was checked. Those that are wrong come first if not all have room. */
    static String of(Broker broker, Map<Area, List<BrokerFinding>> findings) {
        ObjectNode answer = JsonNodeFactory.instance
                .objectNode()
                .put("version", Shown.text(broker.version()))
                .put("artemis", Shown.text(broker.artemis()))
                .put("time", broker.time().toString());
        ArrayNode areas = answer.putArray("areas");
        findings.keySet().forEach(area -> areas.add(area.label()));
        ArrayNode list = answer.putArray("findings");
        int length = 0;
        for (BrokerFinding finding : mostImportantFirst(findings)) {
            length += finding.what().length() + finding.remedy().length();
            if (length > LONGEST) {
                add(
                        list,
                        new BrokerFinding(
                                finding.area(),
                                finding.level(),
                                "this and more findings are not listed",
                                "correct the listed ones first, and check again"));
                break;
            }
            add(list, finding);
        }
        return answer.toString();
    }

    private static List<BrokerFinding> mostImportantFirst(Map<Area, List<BrokerFinding>> findings) {
        return findings.values().stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparing(BrokerFinding::level)) // stable: areas keep their order
                .toList();
    }

    private static void add(ArrayNode list, BrokerFinding finding) {
        list.addObject()
                .put("area", finding.area().label())
                .put("level", finding.level().label())
                .put("what", finding.what())
                .put("remedy", finding.remedy());
    }
}
