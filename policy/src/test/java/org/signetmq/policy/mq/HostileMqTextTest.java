/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.mq.MqTexts.lines;
import static org.signetmq.policy.mq.MqTexts.read;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.policy.mq.MqPolicies.MqImport;
import org.signetmq.policy.mq.MqPolicies.MqImport.Outcome;
import org.signetmq.testkit.Tier;

/** Attacks the reader. Each attack ends in lines of a report. */
final class HostileMqTextTest {
    private static final String GOOD = "\nsetmqspl -m QM -p Z -s SHA512\n";

    @Test
    void hugeText_isRefusedInOneLine() {
        assertThat(lines(read("setmqspl -m QM -p A -s SHA512 -a CN=" + "x".repeat(PolicyFile.LONGEST))))
                .containsExactly("line 1: refused: longer than 50331648 characters; split the file");
    }

    @Test
    void longLine_isRefusedByItsNumber_andTheNextIsRead() {
        for (String beginning : List.of("setmqspl -m QM -p A -a CN=", "SET POLICY(A) SIGNER('CN=")) {
            assertThat(lines(read("#\n" + beginning + "x".repeat(2_000_000) + GOOD)))
                    .as(beginning)
                    .containsExactly(
                            "line 2: refused: longer than 1048576 characters; write shorter statements",
                            "line 3: Z: taken");
        }
    }

    @Test
    void endlessContinuation_isRefused() {
        assertThat(lines(read("setmqspl \\\n".repeat(2) + "-a CN=xxxxxxxxxxxxxxxxxxxxxxx \\\n".repeat(100_000) + GOOD)))
                .contains("line 1: refused: longer than 1048576 characters; write shorter statements")
                .endsWith("line 100004: Z: taken");
        assertThat(lines(read("SET POLICY(A) +\n" + " SIGNER('CN=xxxxxxxxxxxxxxxxxxxxxxxx') +\n".repeat(100_000))))
                .startsWith("line 1: refused: longer than 1048576 characters; write shorter statements");
    }

    @Test
    void tenThousandRecipients_areRefused() {
        String names = IntStream.range(0, 10_000).mapToObj(i -> " -r CN=n" + i).collect(Collectors.joining());

        assertThat(lines(read("setmqspl -m QM -p A -e AES256" + names + GOOD)))
                .containsExactly(
                        "line 1: refused: more than 1000 recipients or signers; name fewer", "line 2: Z: taken");
    }

    @Test
    void namesAddedOneByOne_areBounded() {
        String text = "SET POLICY(A) ENCALG(AES256) RECIP('CN=a')\n"
                + IntStream.range(0, 20_000)
                        .mapToObj(i -> "SET POLICY(A) RECIP('CN=n" + i + "') ACTION(ADD)\n")
                        .collect(Collectors.joining());

        MqImport read = read(text);

        assertThat(read.policies().get(0).encryption().recipients()).hasSize(1000);
        assertThat(read.count(Outcome.REFUSED)).isEqualTo(10_001);
    }

    @Test
    void controlCharacters_neverReachTheReport() {
        MqImport read = read(
                "setmqspl -m QM -p A\u001b[2J -s SHA512\nrm\u0007 x\nSET POLICY(A\u0000)\n\u202egnihton\n# \u001b\n");

        assertThat(lines(read))
                .hasSize(5)
                .allSatisfy(line -> assertThat(line.chars().noneMatch(Character::isISOControl))
                        .isTrue())
                .allSatisfy(line -> assertThat(line).doesNotContain("\u202e"));
        assertThat(lines(read).get(0)).isEqualTo("line 1: refused: control characters; remove them");
    }

    @Test
    void textOfNoPolicies_endsAfterTenThousandLines() {
        List<String> lines = lines(read("x\n".repeat(20_000)));

        assertThat(lines).hasSize(10_001);
        assertThat(lines.get(10_000))
                .isEqualTo("line 10001: refused: 10000 lines could not be taken, and the rest was not read; "
                        + "is this a file of MQ's policies?");
    }

    @Tag(Tier.LONG)
    @Test
    void manyPolicies_endAtTheLimitOfASet() {
        String text = IntStream.range(0, 200_001)
                .mapToObj(i -> "setmqspl -m QM -p Q" + i + " -s SHA512\n")
                .collect(Collectors.joining());

        MqImport read = read(text);

        assertThat(PolicySet.of(1, UnmatchedAddress.PASS, read.policies()).policies())
                .hasSize(200_000);
        assertThat(lines(read)).endsWith("line 200001: refused: more than 200000 policies; split the file");
    }

    @Test
    void deepBracketsAndManyQuotes_takeNoTime() {
        assertThat(lines(read("SET POLICY" + "(".repeat(1_000_000))))
                .containsExactly("line 1: refused: POLICY without its closing bracket");
        assertThat(lines(read("POLICY" + " ".repeat(1_000_000)))).hasSize(1);
        assertThat(lines(read("SET POLICY(A) SIGNER(" + "'',".repeat(300_000) + "''")))
                .hasSize(1);
        assertThat(lines(read("setmqspl " + "\\".repeat(999_999)))).hasSize(1);
        assertThat(lines(read("setmqspl -p " + "''".repeat(500_000) + " -s SHA512")))
                .hasSize(1);
        assertThat(lines(read("setmqspl -p A -s SHA512 -a CN=a" + ",O=b".repeat(200_000))))
                .hasSize(1);
    }

    @Test
    void randomlyBrokenTexts_areReadOrRefused_nothingElse() {
        long seed = 7_355_608;
        Random random = new Random(seed);
        String good = """
                setmqspl -m QM1 -p "A.Q" -s SHA256 -e AES128 -r "CN=a\\,b, O=c" -a 'CN=d' -t 1 -c 5 \\
                  -a CN=x
                SET POLICY(B) SIGNALG(SHA512) ENCALG(AES256) RECIP('CN=a''b') +
                   ENFORCE KEYREUSE(UNLIMITED) ACTION(REPLACE)
                SET POLICY(B) RECIP('CN=c') ACTION(ADD)
                AMQ9086I: shown
                set policy('C') encalg(aes256), recip('CN=a (b),O=c', 'CN=d'), tolerate keyreuse(3)
                """;
        String inserted = "\"'\\()+-*#;$`=, \r\n\t\u0000\u00e9\u20acAZ09";
        int policies = 0;
        int rounds = Tier.isLong() ? 20_000 : 600;

        for (int i = 0; i < rounds; i++) {
            StringBuilder text = new StringBuilder(good);
            for (int j = random.nextInt(6); j >= 0; j--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(4)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, inserted.charAt(random.nextInt(inserted.length())));
                    case 2 -> text.setCharAt(at, inserted.charAt(random.nextInt(inserted.length())));
                    default -> text.delete(at, Math.min(text.length(), at + random.nextInt(40)));
                }
            }
            try {
                MqImport read = read(text.toString());
                policies += PolicySet.of(1, UnmatchedAddress.PASS, read.policies())
                        .policies()
                        .size();
                assertThat(read.statements())
                        .as("seed %d, round %d: %s", seed, i, text)
                        .isNotEmpty();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ", round " + i + ": " + text, e);
            }
        }

        assertThat(policies).as("policies taken, or the test proves little").isBetween(rounds, 59 * rounds / 20);
    }
}
