/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.file.PolicyFile;

final class PolicyHeadTest {
    private static final PolicySet SET = PolicySet.of(
            9,
            new PolicySet.Settings(
                    UnmatchedAddress.REJECT, new WildcardSyntax('/', '>', '+'), List.of("vault", "CN=safe,O=Example")),
            List.of(Policy.integrity("a/>")));

    @Test
    void beginningOfADocument_isEnough() throws Exception {
        String document = PolicyFile.format(SET);

        assertThat(PolicyHead.parse(document.substring(0, document.indexOf("pattern"))))
                .isEqualTo(PolicyHead.of(SET))
                .isEqualTo(new PolicyHead(9, SET.settings(), false));
        assertThat(PolicyHead.parse(PolicyFile.format(PolicySet.EMPTY))).isEqualTo(PolicyHead.of(PolicySet.EMPTY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "{",
                "{}",
                "{\"policies\":[",
                "{\"schema\":1,\"version\":-1,\"policies\":[]}",
                "{\"schema\":1,\"version\":1",
                "{\"policies\":{}}",
                "{\"schema\":1,\"other\":2,\"version\":1,\"policies\":[]}",
                "x",
            })
    void otherText_isRejected(String text) {
        assertThatThrownBy(() -> PolicyHead.parse(text)).isNotInstanceOf(NullPointerException.class);
    }
}
