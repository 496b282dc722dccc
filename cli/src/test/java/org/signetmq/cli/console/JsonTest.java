/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class JsonTest {
    private record Row(String keyId, @Nullable String notAfter) {}

    private record Answer(List<Row> knownRows, long version) {}

    @Test
    void answer_beginsWithItsSchema_namesAreInKebabCase_nullStays() {
        String text = Json.answer(new Answer(List.of(new Row("1", null)), 7)).toPrettyString();

        assertThat(text).isEqualToIgnoringWhitespace("""
                {"schema": 1, "known-rows": [{"key-id": "1", "not-after": null}], "version": 7}
                """);
        assertThat(text).startsWith("{\n  \"schema\" : 1,\n");
    }

    @Test
    void tree_isAnAnswerAsItIs() {
        assertThat(Json.answer(Json.object().put("aB", 2)).toString()).isEqualTo("{\"schema\":1,\"aB\":2}");
    }

    @Test
    void answerThatHasASchema_keepsItsOwn() {
        assertThat(Json.answer(Json.object().put("schema", 3)).toString()).isEqualTo("{\"schema\":3}");
    }

    @Test
    void textThatIsNoJson_isADefect() {
        assertThat(Json.parse("[1]").get(0).asInt()).isEqualTo(1);
        assertThatThrownBy(() -> Json.parse("{")).isInstanceOf(IllegalStateException.class);
    }
}
