/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.mq.MqTexts.limits;
import static org.signetmq.policy.mq.MqTexts.lines;
import static org.signetmq.policy.mq.MqTexts.read;
import static org.signetmq.policy.mq.MqTexts.signers;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.Acceptance;
import org.signetmq.policy.Policy.Signing;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.WildcardSyntax;
import org.signetmq.policy.mq.MqPolicies.MqImport;
import org.signetmq.policy.mq.MqPolicies.MqImport.Outcome;

/** Reads {@code setmqspl} commands, as exports and scripts have them. */
final class SetmqsplTest {
    private static final String ALICE = "CN=alice,O=Example,C=GB";
    private static final String BOB = "CN=bob,O=Example,C=GB";

    @Test
    void export_ofEveryQuality_isTaken() {
        MqImport read = read("""
                # exported
                * Exported on Mon Mar 29 09:23:31 2021

                setmqspl -m QM1 -p PRIVATE.Q -s SHA512 -e AES256 -r "CN=alice,O=Example,C=GB" -r "CN=bob,O=Example,C=GB" -a "CN=bob,O=Example,C=GB" -t 0 -c 0
                setmqspl -m QM1 -p SIGNED.Q -s SHA512 -e NONE -t 0
                setmqspl -m QM1 -p SECRET/Q -s NONE -e AES256 -c 32 -r 'CN=alice,O=Example,C=GB'
                setmqspl -m QM1 -p SECRET%2 -e AES256 -c * -r CN=alice,O=Example,C=GB
                setmqspl -m QM1 -p CLEAR.Q -s NONE -e NONE
                """);

        assertThat(lines(read))
                .containsExactly(
                        "line 4: PRIVATE.Q: taken",
                        "line 5: SIGNED.Q: taken",
                        "line 6: SECRET/Q: taken",
                        "line 7: SECRET%2: taken",
                        "line 8: CLEAR.Q: taken");
        assertThat(read.policies())
                .containsExactly(
                        Policy.privacy("PRIVATE.Q", List.of(ALICE, BOB)).with(signers(BOB)),
                        Policy.integrity("SIGNED.Q"),
                        Policy.confidentiality("SECRET/Q", List.of(ALICE), limits(32)),
                        Policy.confidentiality("SECRET%2", List.of(ALICE), limits(KeyLimits.MOST_MESSAGES)),
                        new Policy(
                                "CLEAR.Q",
                                QualityOfProtection.NONE,
                                Signing.DEFAULT,
                                Policy.Encryption.UNUSED,
                                Acceptance.DEFAULT));
        assertThat(read.queueManagers()).containsExactly("QM1");
        assertThat(read.count(Outcome.TAKEN)).isEqualTo(5);
    }

    @Test
    void continuedLines_ofAShellAndOfZos_areJoined() {
        MqImport read = read("""
                /opt/mqm/bin/setmqspl -m QM1 \\
                    -p A -s SHA512 \\
                    -a "CN=al\\
                ice,O=Example,C=GB"
                * dspmqspl -m CSQ9  -export
                setmqspl -m CSQ9
                 -p B\s
                 -s SHA512
                 -a "CN=bob,O=Example,C=GB"
                setmqspl -m CSQ9 -p C -s SHA512
                """);

        assertThat(lines(read)).containsExactly("line 1: A: taken", "line 6: B: taken", "line 10: C: taken");
        assertThat(read.policies())
                .containsExactly(
                        Policy.integrity("A").with(signers(ALICE)),
                        Policy.integrity("B").with(signers(BOB)),
                        Policy.integrity("C"));
        assertThat(read.queueManagers()).containsExactly("QM1", "CSQ9");
    }

    @Test
    void commentBehindALine_doesNotHideTheNextLine() {
        MqImport read = read("\ufeffsetmqspl -m QM -p A # note\n -s SHA512 # note\n -a CN=a\n");

        assertThat(read.policies()).containsExactly(Policy.integrity("A").with(signers("CN=a")));
    }

    @Test
    void attachedValues_orderAndSpacing_doNotMatter() {
        assertThat(read("setmqspl -eAES256 -r\"cn = alice , o=Example,C= GB\" -pA\t-mQM1 -c1 # a comment")
                        .policies())
                .containsExactly(Policy.confidentiality("A", List.of("CN=alice,O=Example,C=GB"), limits(1)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -s SHA1   | signature SHA1 becomes SHA-512
            -s SHA256 | signature SHA256 becomes SHA-512
            -s SHA384 | signature SHA384 becomes SHA-512
            -s SHA-1  | signature SHA1 becomes SHA-512
            -s SHA512 -e AES128 -r CN=a       | encryption AES128 becomes AES-256
            -s SHA512 -e AES256 -r CN=a -c 8  | key reuse is left out: privacy shares no data key between messages
            -s SHA512 -t 1 | messages in clear are rejected from the start: Signet tolerates them only until a date, and none is given
            -s SHA1 -e AES128 -r CN=a | signature SHA1 becomes SHA-512; encryption AES128 becomes AES-256
            """)
    void weakerPolicy_isMadeStronger_andSaysSo(String options, String reason) {
        MqImport read = read("setmqspl -m QM -p A " + options);

        assertThat(lines(read)).containsExactly("line 1: A: stronger: " + reason);
        assertThat(read.policies()).hasSize(1);
        assertThat(read.policies().get(0).acceptance().toleration()).isEqualTo(Toleration.ENFORCE);
    }

    @Test
    void toleration_withADate_endsThere() {
        Toleration end = new Toleration(Instant.parse("2027-01-01T00:00:00Z"));

        MqImport read = MqPolicies.read(
                "setmqspl -m QM -p A -s SHA512 -t 1\nsetmqspl -m QM -p B -s SHA512 -t 0", WildcardSyntax.DEFAULT, end);

        assertThat(lines(read))
                .containsExactly(
                        "line 1: A: stronger: messages in clear are tolerated until 2027-01-01T00:00:00Z only",
                        "line 2: B: taken");
        assertThat(read.policies())
                .containsExactly(
                        Policy.integrity("A").with(new Acceptance(end, SealingPlace.EITHER)), Policy.integrity("B"));
    }

    @Test
    void tolerationOfAPolicyThatProtectsNothing_meansNothing() {
        assertThat(lines(read("setmqspl -m QM -p A -t 1"))).containsExactly("line 1: A: taken");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            -p A -s MD5 | A: refused: the signature algorithm MD5 is broken; set SHA512 in MQ, and read its policies again
            -p A -e RC2 -r CN=a | A: refused: the encryption algorithm RC2 is broken; set AES256 in MQ, and read its policies again
            -p A -e DES -r CN=a | A: refused: the encryption algorithm DES is broken; set AES256 in MQ, and read its policies again
            -p A -e 3DES -r CN=a | A: refused: the encryption algorithm 3DES is broken; set AES256 in MQ, and read its policies again
            -p A -s SHA3 | A: refused: unknown signature algorithm "SHA3"
            -p A -e AES | A: refused: unknown encryption algorithm "AES"
            -p A -e AES256 | A: refused: an encryption algorithm without recipients; name one at least
            -p A -s SHA512 -r CN=a | A: refused: recipients without an encryption algorithm; MQ refuses this too: name the algorithm
            -p A -e AES256 -r CN=a -a CN=b | A: refused: signers without a signature algorithm; MQ refuses this too: name the algorithm
            -p A -e AES256 -r CN=a -c 10000000 | A: refused: no key reuse from 0 to 9999999, found "10000000"
            -p A -e AES256 -r CN=a -c -1 | A: refused: no key reuse from 0 to 9999999, found "-1"
            -p A -s SHA512 -t 2 | refused: toleration neither 0 nor 1, found "2"
            -p A -remove | refused: -remove removes a policy, and only policies are read; remove it here if need be
            -s SHA512 | refused: no name of a policy
            -p A* -s SHA512 | A*: refused: no name of a queue in MQ, found "A*"; it has 1 to 48 letters, digits and . _ / %
            -p A.# -s SHA512 | A.#: refused: no name of a queue in MQ, found "A.#"; it has 1 to 48 letters, digits and . _ / %
            -p activemq.management -s SHA512 | activemq.management: refused: kept by the broker for requests to its management, found "activemq.management"; no policy applies to these: name addresses of your own
            -p A -x 1 | refused: unknown option "-x"; known are -m, -p, -s, -e, -r, -a, -t, -c and -remove
            -p A what | refused: unknown option "what"; known are -m, -p, -s, -e, -r, -a, -t, -c and -remove
            -p A -s | refused: option -s without a value
            -p A -p B -s SHA512 | refused: POLICY twice; write it once
            -p A -s "SHA512 | refused: an opening " without its end
            -p A -s 'SHA512 | refused: an opening ' without its end
            -p A -s $(id) | refused: a "$" that a shell would expand or run; put it in single quotes
            -p A -s "`id`" | refused: a "`" that a shell would expand or run; put it in single quotes
            -p A -s SHA512; rm -rf / | refused: a ";" that a shell would expand or run; put it in single quotes
            -p A -s SHA512 -a alice | refused: no distinguished name, found "alice": each part is TYPE=value; write such as CN=alice,O=Example,C=GB
            -p A -s SHA512 -a "CN=a; issuer=x" | refused: no distinguished name, found "CN=a; issuer=x": it has a ";" without a backslash before it; write such as CN=alice,O=Example,C=GB
            -p A -s SHA512 -a "CN=a,,C=GB" | refused: no distinguished name, found "CN=a,,C=GB": each part is TYPE=value; write such as CN=alice,O=Example,C=GB
            -p A -s SHA512 -a "ski:00ff" | refused: no distinguished name, found "ski:00ff": each part is TYPE=value; write such as CN=alice,O=Example,C=GB
            """)
    void statementThatCannotBe_isRefusedWithItsLine(String options, String reason) {
        MqImport read = read("# first\nsetmqspl -m QM " + options + "\nsetmqspl -m QM -p Z -s SHA512");

        assertThat(lines(read)).containsExactly("line 2: " + reason, "line 3: Z: taken");
        assertThat(read.policies()).containsExactly(Policy.integrity("Z"));
    }

    @Test
    void secondPolicyOfAQueue_replacesTheFirst_asInMq() {
        MqImport read = read("""
                setmqspl -m QM -p A -s SHA512
                setmqspl -m QM -p B -s SHA512
                setmqspl -m QM -p A -s SHA256 -e AES256 -r CN=a
                """);

        assertThat(lines(read))
                .containsExactly(
                        "line 1: A: taken",
                        "line 2: B: taken",
                        "line 3: A: stronger: signature SHA256 becomes SHA-512; replaces the policy of line 1");
        assertThat(read.policies()).containsExactly(Policy.privacy("A", List.of("CN=a")), Policy.integrity("B"));
    }

    @Test
    void severalQueueManagers_equalPoliciesAreTaken_othersAreRefused() {
        MqImport read = read("""
                setmqspl -m QM1 -p A -s SHA512
                setmqspl -m QM2 -p A -s SHA512
                setmqspl -m QM2 -p A -s SHA512 -a CN=a
                setmqspl -m QM1 -p A -s SHA512 -e AES256 -r CN=b
                """);

        assertThat(lines(read))
                .containsExactly(
                        "line 1: A: taken",
                        "line 2: A: taken: replaces the policy of line 1",
                        "line 3: A: taken: replaces the policy of line 2",
                        "line 4: A: refused: queue manager \"QM1\" has another policy than \"QM2\" in line 3; "
                                + "read the policies of one queue manager at a time");
        assertThat(read.queueManagers()).containsExactly("QM1", "QM2");
    }

    @Test
    void commandOfMqsc_namesNoQueueManager_andReplacesAnyPolicy() {
        MqImport read = read("setmqspl -m QM1 -p A -s SHA512\nSET POLICY(A) SIGNALG(SHA512) SIGNER('CN=a')\n");

        assertThat(lines(read)).endsWith("line 2: A: taken: replaces the policy of line 1");
        assertThat(read.policies()).containsExactly(Policy.integrity("A").with(signers("CN=a")));
    }

    @Test
    void nameWithAWildcardOfTheSet_isRefused() {
        MqImport read = MqPolicies.read(
                "setmqspl -m QM -p A%B -s SHA512\nsetmqspl -m QM -p A/B -s SHA512",
                new WildcardSyntax('/', '#', '%'), Toleration.ENFORCE);

        assertThat(lines(read))
                .containsExactly(
                        "line 1: A%B: refused: a name with a wildcard of the policies here, found \"A%B\"; "
                                + "it would cover other addresses too",
                        "line 2: A/B: taken");
    }

    @Test
    void linesOfAScript_thatAreNoStatements_areSkippedAndSaid() {
        assertThat(lines(read(
                        "#!/bin/bash\n. setmqenv -s\nsetmqpsl -m QM -p A -s SHA512\r\nsetmqspl -m QM -p B -s SHA512")))
                .containsExactly(
                        "line 2: skipped: neither setmqspl nor SET POLICY, found \". setmqenv -s\"",
                        "line 3: skipped: neither setmqspl nor SET POLICY, found \"setmqpsl -m QM -p A -s SHA512\"",
                        "line 4: B: taken");
    }

    @Test
    void escapedCharactersOfNames_stay() {
        assertThat(read("setmqspl -m QM -p A -s SHA512 -a \"CN=a\\\\,b \\$1 ,O=x\\,y\" -a 'CN=c\\ '")
                        .policies())
                .containsExactly(Policy.integrity("A").with(signers("CN=a\\,b $1,O=x\\,y", "CN=c\\ ")));
    }

    @Test
    void sameName_writtenTwice_isOne() {
        assertThat(read("setmqspl -m QM -p A -e AES256 -r CN=a,O=b -r \"cn=a, O=b\"")
                        .policies())
                .containsExactly(Policy.confidentiality("A", List.of("CN=a,O=b"), limits(1)));
    }
}
