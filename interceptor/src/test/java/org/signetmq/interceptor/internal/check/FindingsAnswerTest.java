/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.check.BrokerFinding.Level;

final class FindingsAnswerTest {
    private static final String HOSTILE = "\u001b[2J\r\n\"\u202e" + "\\".repeat(10_000);

    private static JsonNode answer(Map<Area, Check> checks) throws IOException {
        return new JsonMapper()
                .readTree(FindingsAnswer.of(
                        new FindingsAnswer.Broker("1.0", "2.56.0", Instant.EPOCH), BrokerCheck.findings(checks)));
    }

    @Test
    void answer_hasVersionsTimeAndAreas() throws Exception {
        JsonNode answer = answer(new EnumMap<>(Map.of(Area.KEYS, found -> {}, Area.PLUGIN, found -> {})));

        assertThat(answer.path("version").textValue()).isEqualTo("1.0");
        assertThat(answer.path("artemis").textValue()).isEqualTo("2.56.0");
        assertThat(answer.path("time").textValue()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(answer.path("areas").toString()).isEqualTo("[\"plugin\",\"keys\"]");
        assertThat(answer.path("findings").size()).isZero();
    }

    @Test
    void checkThatFails_isAFinding_andTheOthersRun() throws Exception {
        JsonNode answer = answer(new EnumMap<>(Map.of(
                Area.PLUGIN,
                found -> {
                    throw new IllegalStateException("a secret");
                },
                Area.KEYS,
                found -> {
                    throw new StackOverflowError("a secret");
                },
                Area.SECURITY,
                found -> found.wrong("what", "remedy"))));

        assertThat(answer.path("findings").findValuesAsText("what"))
                .containsExactly(
                        "what",
                        "could not be checked: java.lang.IllegalStateException",
                        "could not be checked: java.lang.StackOverflowError");
        assertThat(answer.toString()).doesNotContain("a secret");
    }

    @Test
    void manyFindings_areBounded_andThoseThatAreWrongComeFirst() throws Exception {
        Check hostile = found -> {
            for (int i = 0; i < 100_000; i++) {
                found.warn(HOSTILE, HOSTILE);
            }
        };
        Map<Area, Check> checks = new EnumMap<>(Area.class);
        List.of(Area.values()).forEach(area -> checks.put(area, hostile));
        checks.put(Area.AUDIT_LOG, found -> found.wrong("the worst", "remedy"));

        JsonNode answer = answer(checks);

        assertThat(answer.toString()).hasSizeLessThan(3 * FindingsAnswer.LONGEST);
        JsonNode findings = answer.path("findings");
        assertThat(findings.path(0).path("what").textValue()).isEqualTo("the worst");
        assertThat(findings.path(0).path("level").textValue()).isEqualTo("wrong");
        assertThat(findings.path(findings.size() - 1).path("what").textValue()).contains("not listed");
        assertThat(findings.findValuesAsText("what"))
                .allSatisfy(text -> assertThat(text)
                        .hasSizeLessThanOrEqualTo(Shown.LONGEST_TEXT)
                        .doesNotContainPattern("[\\p{Cc}\\p{Cf}]"));
    }

    @Test
    void moreFindingsOfAnArea_areCounted() {
        List<BrokerFinding> found = Checks.found(Area.POLICIES, findings -> {
            for (int i = 0; i < Findings.MOST + 3; i++) {
                if (i == Findings.MOST) {
                    findings.wrong("wrong", "remedy");
                } else {
                    findings.warn("warning", "remedy");
                }
            }
        });

        assertThat(found).hasSize(Findings.MOST + 1);
        BrokerFinding last = found.get(Findings.MOST);
        assertThat(last.what()).isEqualTo("3 more are not listed");
        assertThat(last.level()).isEqualTo(Level.WRONG);
    }
}
