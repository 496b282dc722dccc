/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.mq.MqPolicies.MqImport;

/** Reads policies of MQ from random text. */
final class MqPoliciesFuzzTest {
    /** The first texts of the corpus. */
    static Stream<Arguments> texts() {
        return Stream.of(
                        "setmqspl -m QM -p A.Q -s SHA512 -e AES256 -r \"CN=a\\,b, O=c\" -a 'CN=d' -t 1 -c 0",
                        """
                        setmqspl -m QM
                         -p A
                         -s NONE -e AES128
                         -r "CN=a" -c "*"
                        """,
                        """
                        setmqspl -m QM \\
                          -p A -s SHA1
                        """,
                        """
                        SET POLICY(A) SIGNALG(SHA512) ENCALG(AES256) +
                          RECIP('CN=a''b') ENFORCE KEYREUSE(UNLIMITED)
                        SET POLICY(A) RECIP('CN=c') ACTION(ADD)
                        """,
                        """
                             1 : set policy('a') +
                               : encalg(aes256), recip('CN=a (b),O=c', 'CN=d')
                        AMQ9085I: set
                           POLICY(A)   SIGNALG(NONE)
                        """,
                        "setmqspl -m QM -p A -remove")
                .map(Arguments::of);
    }

    @MethodSource("texts")
    @FuzzTest(maxDuration = "30s")
    void text_isReadOrRefused_andWhatIsReadCanBeWritten(@NotNull String text) {
        MqImport read = MqPolicies.read(text, WildcardSyntax.DEFAULT, Toleration.ENFORCE);

        PolicySet set = PolicySet.of(1, UnmatchedAddress.PASS, read.policies());
        String written = set.policies().stream().map(MqTexts::setmqspl).collect(Collectors.joining("\n"));
        MqImport again = MqPolicies.read(written, WildcardSyntax.DEFAULT, Toleration.ENFORCE);
        assertThat(again.policies()).isEqualTo(set.policies());
        assertThat(read.statements())
                .allMatch(statement -> statement.toString().chars().noneMatch(Character::isISOControl));
    }
}
