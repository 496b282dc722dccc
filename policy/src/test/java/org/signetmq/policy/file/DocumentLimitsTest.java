/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.signetmq.policy.Parties.ALICE_AND_BOB;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.testkit.Tier;

/** Attacks the reader with documents that are large in one of their parts. */
final class DocumentLimitsTest {
    private static final String BEGINNING = "{\"schema\":1,\"version\":1,\"policies\":[";

    @Test
    void manyProblems_theFirstHundredAreReported_andThatThereAreMore() {
        List<String> problems = problemsOf(BEGINNING + "{},".repeat(199_999) + "{}]}");

        assertThat(problems)
                .hasSize(101)
                .startsWith("policies[0].pattern: missing; name an address or a pattern such as \"orders.#\"");
        assertThat(problems.get(99)).startsWith("policies[49].quality: missing");
        assertThat(problems.get(100)).isEqualTo("$: more than 100 problems; mend these, then the next are shown");
    }

    @Test
    void hundredProblems_areAllReported_andNoMore() {
        assertThat(problemsOf(BEGINNING + "{},".repeat(49) + "{}]}"))
                .hasSize(100)
                .noneMatch(p -> p.startsWith("$"));
    }

    @Test
    void manyUnknownKeys_areReportedUpToTheLimit() {
        String keys = IntStream.range(0, 20_000)
                .mapToObj(i -> "\"" + "k".repeat(50) + i + "\":1")
                .collect(Collectors.joining(","));

        assertThat(problemsOf("{" + keys + "}")).hasSize(101);
        assertThat(problemsOf(BEGINNING + "{" + keys + "}]}")).hasSize(101);
    }

    /** Jackson keeps names in a table of its own, by a hash of base 33, which must not fail if many collide. */
    @Test
    void keysOfOneHash_endInARejection() {
        for (String[] pair : new String[][] {{"Ab", "BA"}, {"Aa", "BB"}}) {
            String keys = IntStream.range(0, 4096)
                    .mapToObj(i -> "\"" + colliding(i, pair) + "\":1")
                    .collect(Collectors.joining(","));

            assertThat(problemsOf("{" + keys + "}")).isNotEmpty();
            assertThat(problemsOf(BEGINNING + "{" + keys + "}]}")).isNotEmpty();
        }
    }

    private static String colliding(int bits, String[] pair) {
        return IntStream.range(0, 12).mapToObj(bit -> pair[bits >> bit & 1]).collect(Collectors.joining());
    }

    @Test
    void patternsOfOneHash_areReadInTime() {
        List<Policy> policies = IntStream.range(0, Tier.rounds(1 << 16))
                .mapToObj(i -> Policy.integrity(IntStream.range(0, 16)
                        .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining())))
                .toList();

        PolicySet set = PolicySet.EMPTY.with(policies);

        assertThat(PolicyFile.parse(PolicyFile.bytes(set), ALICE_AND_BOB)).isEqualTo(set);
        assertThat(policies).allMatch(set::contains);
    }

    @Test
    void morePoliciesThanAllowed_areRejectedByTheReaderAndByTheSet() {
        assertThat(problemsOf(BEGINNING + "{},".repeat(200_000) + "{}]}"))
                .containsExactly("policies: more than 200000 policies; take wildcards to name fewer");
        List<Policy> many = Collections.nCopies(200_001, Policy.integrity("a"));
        assertThatThrownBy(() -> PolicySet.of(1, UnmatchedAddress.PASS, many))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageStartingWith("policies: more than 200000 policies");
    }

    @Test
    void hugePolicy_isRejectedBeforeItsTreeIsMade() {
        String names = "[" + "\"x\",".repeat(100_000) + "\"x\"]";

        assertThat(problemsOf(BEGINNING + "{},{\"recipients\":" + names + "}]}"))
                .containsExactly("policies[1]: more than 65536 values; write fewer");
        assertThat(problemsOf("{\"recipients\":" + names + "}"))
                .containsExactly("$: more than 65536 values; write fewer");
        assertThat(problemsOf(names)).containsExactly("$: more than 65536 values; write fewer");
    }

    @Test
    void manyNames_areRejectedByTheReaderAndByTheSet() {
        List<String> names = IntStream.range(0, 10_001).mapToObj(i -> "n" + i).toList();
        String quoted = names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(","));

        assertThat(problemsOf(
                        BEGINNING + "{\"pattern\":\"a\",\"quality\":\"privacy\",\"recipients\":[" + quoted + "]}]}"))
                .containsExactly("policies[0].recipients: more than 10000 names, found 10001; name fewer");
        assertThatThrownBy(() -> PolicySet.EMPTY.with(Policy.privacy("a", names)))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessage("policies[0].recipients: more than 10000 names, found 10001; name fewer");
        PolicySet most = PolicySet.EMPTY.with(Policy.privacy("a", names.subList(1, 10_001)));
        assertThat(PolicyFile.parse(PolicyFile.bytes(most), PartyValidator.acceptAll()))
                .isEqualTo(most);
    }

    @Test
    void longNamesAndPatterns_areRejectedByTheReaderAndByTheSet() {
        String longest = "n".repeat(2048);
        String longer = longest + "n";

        assertThat(problemsOf(BEGINNING + "{\"pattern\":\"" + longer + "\",\"quality\":\"integrity\",\"signers\":[\""
                        + longer + "\"]}]}"))
                .hasSize(2)
                .allMatch(problem -> problem.contains("longer than 2048 characters, found \"nnn"));
        assertThatThrownBy(() -> PolicySet.EMPTY.with(Policy.privacy(longest, List.of(longer))))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageStartingWith("policies[0].recipients: longer than 2048 characters");
        assertThatThrownBy(() -> PolicySet.EMPTY.with(Policy.integrity(longer)))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageStartingWith("policies[0].pattern: longer than 2048 characters");
        assertThat(PolicySet.EMPTY
                        .with(Policy.privacy(longest, List.of(longest)))
                        .policies())
                .hasSize(1);
    }

    @Test
    void manyWordsOfPatterns_areRejectedByTheReaderAndByTheSet() {
        List<Policy> policies = IntStream.range(0, 2_001)
                .mapToObj(i -> Policy.integrity(i + ".a".repeat(998) + ".*"))
                .toList();
        String json = policies.stream()
                .map(policy -> "{\"pattern\":\"" + policy.pattern() + "\",\"quality\":\"integrity\"}")
                .collect(Collectors.joining(","));
        String problem = "policies: patterns with wildcards of more than 2000000 words together, found 2001000; "
                + "write shorter or fewer patterns";

        assertThat(problemsOf(BEGINNING + json + "]}")).containsExactly(problem);
        assertThatThrownBy(() -> PolicySet.EMPTY.with(policies))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessage(problem);
        assertThat(PolicySet.EMPTY.with(policies.subList(0, 200)).find("7" + ".a".repeat(998) + ".x"))
                .isPresent();
    }

    @Test
    void wildcardsAfterThePolicies_count() {
        PolicySet set = PolicyFile.parse(
                BEGINNING + "{\"pattern\":\"a/+\",\"quality\":\"integrity\"}],"
                        + "\"wildcards\":{\"delimiter\":\"/\",\"single-word\":\"+\"}}",
                ALICE_AND_BOB);

        assertThat(set.find("a/b")).isPresent();
        assertThat(problemsOf(BEGINNING + "{\"pattern\":\"a.#\",\"quality\":\"integrity\"}],"
                        + "\"wildcards\":{\"delimiter\":\"/\"}}"))
                .singleElement()
                .asString()
                .startsWith("policies[0].pattern: words that end in");
    }

    @Test
    void partyOfManyPolicies_isAskedForOnce() {
        AtomicInteger asked = new AtomicInteger();
        PartyValidator counting = new PartyValidator(
                name -> {
                    asked.incrementAndGet();
                    return Optional.empty();
                },
                name -> Optional.empty());
        String policies = IntStream.range(0, 100)
                .mapToObj(i -> "{\"pattern\":\"a" + i + "\",\"quality\":\"privacy\",\"recipients\":[\"x\",\"y\"]}")
                .collect(Collectors.joining(","));

        assertThat(PolicyFile.parse(BEGINNING + policies + "]}", counting).policies())
                .hasSize(100);
        assertThat(asked).hasValue(2);
    }

    @Test
    void bytes_areReadAsText_andRejectedIfTheyAreNoUtf8() {
        String json = BEGINNING + "{\"pattern\":\"bücher\",\"quality\":\"integrity\"}]}";

        assertThat(PolicyFile.parse(json.getBytes(StandardCharsets.UTF_8), ALICE_AND_BOB))
                .isEqualTo(PolicyFile.parse(json, ALICE_AND_BOB));
        assertThatThrownBy(() -> PolicyFile.parse(json.getBytes(StandardCharsets.ISO_8859_1), ALICE_AND_BOB))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessage("$: bytes that are not UTF-8; save the file as UTF-8");
        assertThatThrownBy(() -> PolicyFile.parse(json.getBytes(StandardCharsets.UTF_16), ALICE_AND_BOB))
                .isInstanceOf(InvalidPolicyException.class);
    }

    @Test
    void highestVersion_cannotBeChanged() {
        PolicySet last = PolicySet.of(Long.MAX_VALUE, UnmatchedAddress.PASS, List.of());

        assertThatThrownBy(() -> last.with(Policy.integrity("a")))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessage("version: the highest one, 9223372036854775807; write a lower one");
    }

    private static List<String> problemsOf(String document) {
        InvalidPolicyException rejected = catchThrowableOfType(
                InvalidPolicyException.class, () -> PolicyFile.parse(document, PartyValidator.acceptAll()));

        assertThat(rejected).isNotNull();
        return rejected.problems().stream().map(PolicyProblem::toString).toList();
    }
}
