/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.mq.MqTexts.limits;
import static org.signetmq.policy.mq.MqTexts.lines;
import static org.signetmq.policy.mq.MqTexts.read;
import static org.signetmq.policy.mq.MqTexts.signers;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.mq.MqPolicies.MqImport;

/** Reads commands of MQSC, and refuses what runmqsc shows. */
final class MqscTest {
    @Test
    void setPolicy_inItsForms_isTaken() {
        MqImport read = read("""
                * policies of the shop
                SET POLICY(PRIVATE.Q) SIGNALG(SHA512) ENCALG(AES256) +
                    RECIP('CN=alice,O=Example') RECIP('CN=bob,O=Example') +
                    SIGNER('CN=carol,O=O''Neill') ENFORCE KEYREUSE(DISABLED)
                set policy ('secret.q'), encalg(aes256), recip('CN=alice', 'CN=bob'), keyreuse(64) -
                 action(replace)
                SET POLICY(signed.q) SIGNALG(SHA512)
                SET POLICY(SECRET.2) ENCALG(AES256) RECIP('CN=alice') KEYREUSE(UNLIMITED)
                END
                """);

        assertThat(lines(read))
                .containsExactly(
                        "line 2: PRIVATE.Q: taken",
                        "line 5: secret.q: taken",
                        "line 7: SIGNED.Q: taken",
                        "line 8: SECRET.2: taken");
        assertThat(read.policies())
                .containsExactly(
                        Policy.privacy("PRIVATE.Q", List.of("CN=alice,O=Example", "CN=bob,O=Example"))
                                .with(signers("CN=carol,O=O'Neill")),
                        Policy.confidentiality("secret.q", List.of("CN=alice", "CN=bob"), limits(64)),
                        Policy.integrity("SIGNED.Q"),
                        Policy.confidentiality("SECRET.2", List.of("CN=alice"), limits(KeyLimits.MOST_MESSAGES)));
        assertThat(read.queueManagers()).isEmpty();
    }

    @Test
    void addAndRemove_changeAPolicyAbove() {
        MqImport read = read("""
                SET POLICY(ABC) SIGNALG(SHA512) ENCALG(AES256) RECIP('CN=AAA, C=GB')
                SET POLICY(ABC) SIGNALG(SHA1) ENCALG(RC2) RECIP('CN=BBB,C=GB') SIGNER('CN=S') ACTION(ADD)
                SET POLICY(ABC) SIGNALG(MD5) RECIP('CN=AAA,C=GB') TOLERATE ACTION(REMOVE)
                """);

        assertThat(lines(read))
                .containsExactly(
                        "line 1: ABC: taken",
                        "line 2: ABC: taken",
                        "line 3: ABC: taken: only recipients and signers change, its other attributes are left out");
        assertThat(read.policies())
                .containsExactly(Policy.privacy("ABC", List.of("CN=BBB,C=GB")).with(signers("CN=S")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SET POLICY(B) RECIP('CN=a') ACTION(ADD) | B: refused: changes a policy that no line above sets; write its whole policy first
            SET POLICY(A) SIGNER('CN=a') ACTION(REMOVE) | A: refused: "CN=a" is no signer of the policy
            SET POLICY(A) RECIP('CN=a') ACTION(ADD) | A: refused: recipients without an encryption algorithm; MQ refuses this too: name the algorithm
            SET POLICY(A) SIGNALG(SHA512) ACTION(DROP) | A: refused: unknown action "DROP"; known are REPLACE, ADD and REMOVE
            SET POLICY(A) SIGNALG(SHA512) SIGNER(CN=a) | refused: SIGNER: a distinguished name without quotes; write SIGNER('CN=...')
            SET POLICY(A) SIGNALG(SHA512) SIGNER('CN=a) | refused: SIGNER: an opening ' without its end
            SET POLICY(A) SIGNALG(SHA512 | refused: SIGNALG without its closing bracket
            SET POLICY(A) SIGNALG('SHA512' | refused: SIGNALG without its closing bracket
            SET POLICY(A) SIGNALG('SHA512', SHA1) | refused: SIGNALG: a value without quotes beside one with quotes
            SET POLICY(A) SIGNALG('SHA512','SHA1') | refused: SIGNALG twice; write it once
            SET POLICY(A) ENFORCE TOLERATE SIGNALG(SHA512) | refused: both TOLERATE and ENFORCE; write one of them
            SET POLICY(A) SIGNALG(SHA512) CMDSCOPE(x) | refused: unknown keyword "CMDSCOPE"; known are POLICY, SIGNALG, ENCALG, RECIP, SIGNER, KEYREUSE, ENFORCE, TOLERATE, ACTION
            SET POLICY(A) (SHA512) | refused: no keyword where one is due, found "(SHA512)"
            SET POLICY() SIGNALG(SHA512) | refused: no name of a policy
            SET POLICY(A) SIGNALG(MD5) | A: refused: the signature algorithm MD5 is broken; set SHA512 in MQ, and read its policies again
            """)
    void commandThatCannotBe_isRefusedWithItsLine(String command, String reason) {
        MqImport read = read("SET POLICY(A) SIGNALG(SHA512)\n" + command + "\n");

        assertThat(lines(read)).containsExactly("line 1: A: taken", "line 2: " + reason);
        assertThat(read.policies()).containsExactly(Policy.integrity("A"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                """
                5724-H72 (C) Copyright IBM Corp. 1994, 2024.
                Starting MQSC for queue manager QM1.


                     1 : DISPLAY POLICY(*)
                AMQ9086I: Display IBM MQ Advanced Message Security policy details.
                   POLICY(PRIVATE.Q)                       SIGNALG(SHA256)
                   ENCALG(AES256)
                   RECIP(CN=alice (test), O=Example,C=GB)
                """,
                "\n\n\n\n\n\n   SIGNALG(SHA512)\n   ENCALG(NONE)\n",
                "\n\n\n\n\n\npolicy (a)\nSET POLICY(B) SIGNALG(SHA512)\n",
                "\n\n\n\n\n\nPolicy Details:\nPolicy name: A\nQuality of protection: PRIVACY\n"
            })
    void outputForPeople_isRefusedInOneLine_thatNamesWhatIsRead(String output) {
        MqImport read = read(output);

        assertThat(lines(read))
                .containsExactly("line 7: refused: the output of dspmqspl or DISPLAY POLICY for people, which is not "
                        + "read; write the file by dspmqspl -export");
        assertThat(read.policies()).isEmpty();
    }

    @Test
    void echoedCommands_areRead() {
        MqImport read = read("""
                     1 : set policy(ABC) +
                       : signalg(SHA512)
                AMQ9085I: IBM MQ Advanced Message Security policy set.
                     2 : SET POLICY(DEF) SIGNALG(SHA512)
                """);

        assertThat(lines(read)).containsExactly("line 1: ABC: taken", "line 4: DEF: taken");
    }
}
