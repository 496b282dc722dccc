/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.policy.file.PolicyFile;

final class WildcardSyntaxTest {
    @Test
    void document_withoutWildcards_hasThoseOfArtemis() {
        assertThat(read("", "orders.#").wildcards()).isEqualTo(WildcardSyntax.DEFAULT);
    }

    @Test
    void document_withWildcards_coversByThem() {
        PolicySet policies = read("'wildcards':{'delimiter':'/','single-word':'+'},", "orders/+");

        assertThat(policies.wildcards()).isEqualTo(Syntaxes.MQTT);
        assertThat(policies.find("orders/eu")).isPresent();
        assertThat(policies.find("orders/eu/paris")).isEmpty();
        assertThat(policies.find("orders.eu")).isEmpty();
        assertThat(policies.explain("orders/eu").reason()).isEqualTo("\"orders/+\" is the only pattern that matches");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            7                                        | wildcards: no object, found 7
            '/'                                      | wildcards: no object, found "/"
            {'delimiter':'//'}                       | wildcards.delimiter: not one character, found "//"
            {'delimiter':''}                         | wildcards.delimiter: not one character, found ""
            {'delimiter':7}                          | wildcards.delimiter: not text, found 7
            {'any-words':' '}                        | wildcards: a space, control character, backslash
            {'any-words':'\\\\'}                       | wildcards: a space, control character, backslash
            {'any-words':'\\u0000'}                   | wildcards: a space, control character, backslash
            {'delimiter':'#'}                        | wildcards: the same character twice, found delimiter "#", any-words "#"
            {'delimiter':'*'}                        | wildcards: the same character twice
            {'delimiter':'\\u007c'}                  | wildcards: a character that Artemis's address settings take
            {'delimiter':'$'}                        | wildcards: a character that Artemis's address settings take
            {'any-words':'+'}                        | wildcards: a character that Artemis's address settings take
            {'delimiter':'/','any-words':'.'}        | wildcards: a character that Artemis's address settings take
            {'delimiter':'/','single-word':'.'}      | wildcards: a character that Artemis's address settings take
            {'any-words':'*'}                        | wildcards: the same character twice
            {'anywords':'>'}                         | wildcards.anywords: unknown key; did you mean "any-words"?
            """)
    void document_withOtherWildcards_rejected(String wildcards, String problem) {
        assertThatThrownBy(() -> read("'wildcards':" + wildcards + ",", "orders"))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void set_ofWildcards_isReadBack() {
        PolicySet policies =
                PolicySet.of(7, UnmatchedAddress.PASS, Syntaxes.MQTT, List.of(Policy.integrity("orders/#")));

        PolicySet read = PolicyFile.parse(PolicyFile.format(policies), PartyValidator.acceptAll());

        assertThat(read).isEqualTo(policies);
        assertThat(read.with(Policy.integrity("news/#")).wildcards()).isEqualTo(Syntaxes.MQTT);
        assertThat(read.without("orders/#").wildcards()).isEqualTo(Syntaxes.MQTT);
    }

    @Test
    void set_thatIsGivenOtherWildcards_isJudgedAnew() {
        PolicySet dots = PolicySet.EMPTY.with(Policy.integrity("orders"));

        PolicySet slashes = dots.with(Syntaxes.MQTT);

        assertThat(slashes.version()).isEqualTo(dots.version() + 1);
        assertThat(slashes.with(Syntaxes.MQTT)).isSameAs(slashes);
        assertThat(slashes).isNotEqualTo(dots);
        assertThatThrownBy(
                        () -> PolicySet.EMPTY.with(Policy.integrity("orders.#")).with(Syntaxes.MQTT))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageContaining("policies[0].pattern: words that end in \".\"");
    }

    private static PolicySet read(String wildcards, String pattern) {
        String json = ("{'schema':1,'version':1," + wildcards + "'policies':[{'pattern':'" + pattern
                        + "','quality':'integrity'}]}")
                .replace('\'', '"');
        return PolicyFile.parse(json, PartyValidator.acceptAll());
    }
}
