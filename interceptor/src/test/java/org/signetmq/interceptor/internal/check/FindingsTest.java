/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.check.Findings.Area;
import org.signetmq.interceptor.internal.check.Findings.Check;
import org.signetmq.interceptor.internal.check.Findings.Finding;
import org.signetmq.interceptor.internal.check.Findings.Level;

final class FindingsTest {
    private static final String HOSTILE = "\u001b[2J\r\n\"\u202e" + "\\".repeat(10_000);

    private static JsonNode answer(Findings findings) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        findings.writeTo(answer);
        return answer;
    }

    /** Runs a single check. */
    static List<Finding> found(Check check) {
        return new Findings().check(Area.POLICIES, check).list();
    }

    @Test
    void checkThatFails_isAFinding_andTheOthersRun() {
        JsonNode answer = answer(new Findings()
                .check(Area.PLUGIN, found -> {
                    throw new IllegalStateException("a secret");
                })
                .check(Area.KEYS, found -> {
                    throw new StackOverflowError("a secret");
                })
                .check(Area.AUDIT_LOG, found -> found.wrong("what", "remedy")));

        assertThat(answer.path("areas").toString()).isEqualTo("[\"plugin\",\"keys\",\"audit log\"]");
        assertThat(answer.path("findings").findValuesAsText("what"))
                .containsExactly(
                        "what",
                        "could not be checked: java.lang.IllegalStateException",
                        "could not be checked: java.lang.StackOverflowError");
        assertThat(answer.toString()).doesNotContain("a secret");
    }

    @Test
    void manyFindings_areBounded_andThoseThatAreWrongComeFirst() {
        Findings findings = new Findings();
        for (Area area : Area.values()) {
            findings.check(area, found -> {
                for (int i = 0; i < 100_000; i++) {
                    found.warn(HOSTILE, HOSTILE);
                }
            });
        }

        JsonNode answer = answer(findings.check(Area.AUDIT_LOG, found -> found.wrong("the worst", "remedy")));

        assertThat(answer.toString()).hasSizeLessThan(3 * Findings.LONGEST);
        JsonNode list = answer.path("findings");
        assertThat(list.path(0).path("what").textValue()).isEqualTo("the worst");
        assertThat(list.path(0).path("level").textValue()).isEqualTo("wrong");
        assertThat(list.path(list.size() - 1).path("what").textValue()).contains("not listed");
        assertThat(list.findValuesAsText("what"))
                .allSatisfy(text -> assertThat(text)
                        .hasSizeLessThanOrEqualTo(Findings.LONGEST_TEXT)
                        .doesNotContainPattern("[\\p{Cc}\\p{Cf}]"));
    }

    @Test
    void moreFindingsOfAnArea_areCounted() {
        List<Finding> found = found(findings -> {
            for (int i = 0; i < Findings.MOST + 3; i++) {
                findings.add(i == Findings.MOST ? Level.WRONG : Level.WARNING, "what", "remedy");
            }
        });

        assertThat(found).hasSize(Findings.MOST + 1);
        assertThat(found.get(Findings.MOST).what()).isEqualTo("3 more are not listed");
        assertThat(found.get(Findings.MOST).level()).isEqualTo(Level.WRONG);
    }

    @Test
    void names_areQuoted_cut_andCounted() {
        assertThat(Findings.names(List.of("orders.#", "a\u202eb", "c", "d", "e", "f", "g")))
                .isEqualTo("'orders.#', 'a?b', 'c', 'd', 'e' and 2 more");
        assertThat(Findings.name("x".repeat(10_000)))
                .hasSize(Findings.LONGEST_NAME + 2)
                .endsWith("...'");
    }
}
