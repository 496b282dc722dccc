/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;

/** Properties of each type survive their text, and a text in another form is refused. */
class HiddenPropertiesTest {
    private static final Map<String, Object> EACH_TYPE = eachType();

    private static Map<String, Object> eachType() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("yes", true);
        all.put("no", false);
        all.put("octet", Byte.MIN_VALUE);
        all.put("small", (short) -1);
        all.put("number", 42);
        all.put("big", Long.MAX_VALUE);
        all.put("single", -0.0f);
        all.put("real", 0.1);
        all.put("odd", Double.NaN);
        all.put("text", "a;b=s1:c% \u20ac\r\n");
        all.put("empty", "");
        all.put("lone", "x\ud800");
        all.put("pair", "\ud83d\ude00");
        all.put("$_1", "a name of Java");
        all.put("none", null);
        return all;
    }

    @Test
    void encode_eachType_isDecodedAsTheSame() {
        Map<String, Object> decoded = HiddenProperties.decode(HiddenProperties.encode(EACH_TYPE));

        assertThat(decoded).containsExactlyInAnyOrderEntriesOf(EACH_TYPE);
        assertThat(List.copyOf(decoded.keySet())).isSorted();
    }

    @Test
    void encode_knownProperties_isTheTextOfTheFormat() {
        assertThat(HiddenProperties.encode(Map.of("region", "eu", "amount", 12.5, "rush", true)))
                .isEqualTo("amount=d16:4029000000000000;region=s2:eu;rush=t4:true;");
    }

    @Test
    void decode_eachCharacterChanged_isRefusedOrMeansOtherProperties() {
        String text = HiddenProperties.encode(EACH_TYPE);
        for (int i = 0; i < text.length(); i++) {
            for (char c : "\0;:=n09+-fFsu \u0661".toCharArray()) {
                StringBuilder changed = new StringBuilder(text);
                changed.setCharAt(i, c);
                requireRefusedOrExact(changed.toString());
            }
            requireRefusedOrExact(text.substring(0, i));
            requireRefusedOrExact(text.substring(i + 1));
            requireRefusedOrExact(new StringBuilder(text).deleteCharAt(i).toString());
        }
    }

    private static void requireRefusedOrExact(String text) {
        Map<String, Object> decoded;
        try {
            decoded = HiddenProperties.decode(text);
        } catch (MalformedEnvelopeException refused) {
            return;
        }
        assertThat(HiddenProperties.encode(decoded)).isEqualTo(text);
    }

    @Test
    void decode_otherForms_areMalformed() {
        for (String text : List.of(
                "",
                "a",
                "a=s1:x",
                "b=i1:1;a=i1:1;",
                "a=i1:1;a=i1:1;",
                "a=i1:1;a=i1:2;",
                "a=i2:01;",
                "a=i2:+1;",
                "a=b3:128;",
                "a=t4:TRUE;",
                "a=t2:no;",
                "a=d16:402900000000000A;",
                "a=d1:1;",
                "a=u4:0041;",
                "a=u3:d80;",
                "a=s01:x;",
                "a=s-1:;",
                "a=s2147483647:x;",
                "a=s9999999999:x;",
                "a=x1:x;",
                "a=n1:x;",
                "=s1:x;",
                "a b=s1:x;",
                "JMSType=s1:x;",
                "_AMQ_GROUP_ID=s1:x;",
                "a=s1:x;;")) {
            assertThatThrownBy(() -> HiddenProperties.decode(text))
                    .as(text)
                    .isInstanceOf(MalformedEnvelopeException.class);
        }
    }

    @Test
    void limits_ofCountAndLength_areExact() {
        assertThat(HiddenProperties.decode(HiddenProperties.encode(numbered(HiddenProperties.MOST))))
                .hasSize(HiddenProperties.MOST);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HiddenProperties.encode(numbered(HiddenProperties.MOST + 1)));
        String one = HiddenProperties.encode(numbered(HiddenProperties.MOST));
        assertThatThrownBy(() -> HiddenProperties.decode(one + "z=i1:1;")).isInstanceOf(EnvelopeException.class);
        assertThat(HiddenProperties.encode(Map.of("a", "x".repeat(12_288 - 10))))
                .hasSize(12_288);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HiddenProperties.encode(Map.of("a", "x".repeat(12_288 - 9))));
        assertThatIllegalArgumentException()
                .as("three bytes each in a header line")
                .isThrownBy(() -> HiddenProperties.encode(Map.of("a", "%".repeat(4_100))));
        assertThatThrownBy(() -> HiddenProperties.decode("a=s12279:" + "x".repeat(12_279) + ";"))
                .isInstanceOf(MalformedEnvelopeException.class);
    }

    @Test
    void encode_otherNamesAndTypes_areRefused() {
        List<Map<String, Object>> others = List.of(
                Map.of(), Map.of("a", 'x'), Map.of("a", new byte[1]), Map.of("JMSXGroupID", "g"), Map.of("a-b", 1));
        for (Map<String, Object> other : others) {
            assertThatIllegalArgumentException().isThrownBy(() -> HiddenProperties.encode(other));
        }
    }

    private static Map<String, Object> numbered(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "p" + i, i -> i));
    }
}
