/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.signetmq.policy.Parties.ALICE_AND_BOB;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.policy.file.PolicyFile;

/** Variables in patterns, and in the names of recipients and signers. */
final class VariablesTest {
    private static final Policy TENANT = Policy.privacy("tenant.{t}.#", List.of("{t}-archive", "alice"))
            .with(new Policy.Signing(
                    SignatureAlgorithm.SHA_512, List.of("CN={t},O=Example"), CertificateInclusion.INCLUDED));

    private static PolicySet set(Policy... policies) {
        return PolicySet.of(7, UnmatchedAddress.PASS, List.of(policies));
    }

    private static List<String> recipients(PolicySet set, String address) {
        return set.find(address).orElseThrow().policy().encryption().recipients();
    }

    @Test
    void address_completesTheNames() {
        PolicySet set = set(TENANT);

        EffectivePolicy acme = set.find("tenant.acme.orders.eu").orElseThrow();

        assertThat(acme.policy().encryption().recipients()).containsExactly("acme-archive", "alice");
        assertThat(acme.policy().signing().signers()).containsExactly("CN=acme,O=Example");
        assertThat(acme.values()).isEqualTo(Map.of("{t}", "acme"));
        assertThat(acme.reference()).isEqualTo("tenant.{t}.#@7");
        assertThat(set.find("tenant.acme.bills")).hasValue(acme);
        assertThat(set.find("tenant.acme")).hasValue(acme);
        assertThat(set.find("tenant.other.bills")).isPresent().isNotEqualTo(set.find("tenant.acme.bills"));
        assertThat(set.find("tenant")).isEmpty();
        assertThat(set.explain("tenant.acme.orders").effective()).hasValue(acme);
        assertThat(set.deciding("tenant.acme.orders")).containsExactly(TENANT);
        assertThat(set.deciding("tenant.#")).containsExactly(TENANT);
        assertThat(set.named("tenant.{t}.#")).hasValue(TENANT);
        assertThat(set.policies()).containsExactly(TENANT);
    }

    @Test
    void severalVariables_standForTheirWords_alsoTwiceInAName() {
        PolicySet set = set(Policy.privacy("{region}.shop.{t1}", List.of("CN={t1},OU={t1}", "{region}")))
                .withRecovery(List.of("vault", "CN=a,OU=a"));

        assertThat(recipients(set, "eu.shop.acme")).containsExactly("CN=acme,OU=acme", "eu", "vault", "CN=a,OU=a");
        assertThat(recipients(set, "b.shop.a")).containsExactly("CN=a,OU=a", "b", "vault");
        assertThat(set.find("eu.shop.acme.more")).isEmpty();
    }

    @Test
    void otherWildcards_divideTheWords() {
        PolicySet set = PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                new WildcardSyntax('/', '#', '+'),
                List.of(Policy.privacy("tenant/{t}/#", List.of("{t}"))));

        assertThat(recipients(set, "tenant/ac.me/orders")).containsExactly("ac.me");
        assertThat(recipients(set, "tenant/../orders")).containsExactly("/{t}");
    }

    /** A stranger chooses the address, and with it the name. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "..",
                ".hidden",
                "a/b",
                "../../etc/passwd",
                "CN=admin,O=x",
                "ski:00",
                "a b",
                "a\u0000",
                "a\n",
                "\u202e",
                "a;issuer=b",
                "{t}",
                "*",
                "#",
                "\u00e4",
                "a\"b",
                "a,b",
                "a+b",
                "a\\",
                ""
            })
    void wordThatCannotBePartOfAName_findsNoCertificate(String word) {
        PolicySet set = PolicySet.of(
                1,
                UnmatchedAddress.PASS,
                new WildcardSyntax('~', '#', '*'),
                List.of(Policy.privacy("t~{t}~#", List.of("{t}", "CN={t}", "bob"))
                        .with(new Policy.Signing(
                                SignatureAlgorithm.SHA_512, List.of("{t}"), CertificateInclusion.INCLUDED))));

        EffectivePolicy found = set.find("t~" + word + "~x").orElseThrow();

        assertThat(found.policy().encryption().recipients()).containsExactly("/{t}", "/CN={t}", "bob");
        assertThat(found.policy().encryption().recipients().get(0)).matches(EffectivePolicy::isIncomplete);
        assertThat(found.policy().signing().signers()).containsExactly("/{t}");
        assertThat(found.problem())
                .hasValueSatisfying(problem ->
                        assertThat(problem).startsWith("policy 't~{t}~#': the address gives no value for {t};"));
    }

    /** The broker takes the words of such an address in two ways, and only one of them is the tenant's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\\.acme.orders",
                "x.y\\.acme",
                "\\.acme.orders",
                "..orders",
                ".",
                "x.",
                "x.\\.acme",
                "x\\.y.acme.z"
            })
    void wordThatTheEscapeMovesOrIsEmpty_isNoValue(String address) {
        PolicySet set = set(Policy.privacy("{a}.{t}.#", List.of("{t}-archive")));

        EffectivePolicy found = set.find(address).orElseThrow();

        assertThat(found.policy().encryption().recipients()).containsExactly("/{t}-archive");
        assertThat(found.problem()).isPresent();
        assertThat(set.find("x.acme.v1\\.2").orElseThrow().problem()).isEmpty();
        assertThat(recipients(set, "x.acme.v1\\.2")).containsExactly("acme-archive");
    }

    @Test
    void wordOfUpTo64Characters_isAName_andNoLongerOne() {
        PolicySet set = set(TENANT);

        assertThat(recipients(set, "tenant." + "a".repeat(64))).contains("a".repeat(64) + "-archive");
        assertThat(recipients(set, "tenant." + "a".repeat(65))).contains("/{t}-archive");
        assertThat(recipients(set, "tenant." + "a".repeat(100_000))).contains("/{t}-archive");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {t}.{t}.#                      | twice
            {a}.{b}.{c}.{d}.{e}            | more than 4 variables
            tenant.{T}.#                   | is no variable
            tenant.{}.x                    | is no variable
            tenant.{1t}                    | is no variable
            tenant.{abcdefghijklmnopq}     | is no variable
            tenant.{t-x}                   | is no variable
            tenant.a{t}.#                  | beside a wildcard
            tenant.{t}a.#                  | beside a wildcard
            tenant.{t}#                    | beside a wildcard
            tenant.{t.#                    | beside a wildcard
            {t}.#.x                        | before the end
            """)
    void patternsWithOtherBraces_areRejected(String pattern, String problem) {
        assertThat(WildcardSyntax.DEFAULT.problemWithPattern(pattern))
                .hasValueSatisfying(found -> assertThat(found).contains(problem));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{t}", "{t}.#", "a.{t}", "{a}.{b}.{c}.{d}.#", "{abcdefghijklmnop}.x", "a{t}", "a.b{c}d"})
    void patternsWithVariables_orWithBracesInAWord_areAccepted(String pattern) {
        assertThat(WildcardSyntax.DEFAULT.problemWithPattern(pattern)).isEmpty();
    }

    @Test
    void bracesInAWordOfAnAddress_areNoVariable() {
        PolicySet set = set(Policy.integrity("a.b{c}d"));

        assertThat(set.find("a.b{c}d")).isPresent();
        assertThat(set.find("a.bxd")).isEmpty();
    }

    @Test
    void namesWithVariablesThatThePatternLacks_areRejected() {
        assertThat(problems(Policy.privacy("tenant.{t}.#", List.of("alice", "{x}-archive"))))
                .singleElement()
                .asString()
                .startsWith("policies[0].recipients: the variable {x} is no word of the pattern");
        assertThat(problems(Policy.privacy("tenant.*.#", List.of("{t}")))).hasSize(1);
        assertThat(problems(Policy.integrity("tenant.{t}")
                        .with(new Policy.Signing(
                                SignatureAlgorithm.SHA_512,
                                List.of("{s}"),
                                CertificateInclusion.INCLUDED,
                                List.of("{t}")))))
                .hasSize(2)
                .allMatch(problem -> problem.contains("is no word of the pattern"));
        assertThat(problems(Policy.privacy(
                        "tenant.{t}",
                        IntStream.range(0, 33).mapToObj(i -> "n" + i).toList())))
                .singleElement()
                .asString()
                .contains("more than 32 names");
        assertThat(catchThrowableOfType(
                                InvalidPolicyException.class, () -> PolicySet.EMPTY.withRecovery(List.of("{t}-vault")))
                        .getMessage())
                .contains("a variable");
    }

    /** Otherwise {@code x.y} and {@code y.x} would have one key, or {@code x-y} and {@code z} that of another pair. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{a}{b}",
                "{a}-{b}",
                "x{a}.y_Z{b}",
                "CN={a}-{a},O={b}",
                "{a},{b}-9-{a}",
                "OU={a},OU={b}",
                "CN={a}+CN={b}",
                "CN={a},2.5.4.3={b}",
                "CN={a},O={b}",
                "CN={a}; issuer={b}",
                "{a}+{b}@{a}"
            })
    void severalVariablesInAName_areRejected(String name) {
        assertThat(problems(Policy.privacy("{a}.{b}", List.of(name))))
                .singleElement()
                .asString()
                .startsWith("policies[0].recipients: more than one variable in a name");
    }

    /** Otherwise a word of an address could become a variable. */
    @ParameterizedTest
    @ValueSource(strings = {"{{a}}", "{{a}", "{a}}", "{B}-{a}"})
    void bracesBesideAVariable_areRejected(String name) {
        assertThat(problems(Policy.privacy("{a}.{b}", List.of(name))))
                .singleElement()
                .asString()
                .startsWith("policies[0].recipients: a brace beside a variable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{a},x", "CN={a},O={a}", "{a}+x@{a}", "{b}"})
    void oneVariableInAName_isAccepted(String name) {
        assertThat(set(Policy.privacy("{a}.{b}", List.of(name))).policies()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CN={t},O=Example", "cn={t}; issuer=ca", "ski:{t}", "SKI:0{t}"})
    void capitalLetter_completesNoNameWhereCaseDoesNotCount(String name) {
        PolicySet set = set(Policy.privacy("tenant.{t}.#", List.of(name, "{t}")));

        assertThat(recipients(set, "tenant.ab.x")).containsExactly(name.replace("{t}", "ab"), "ab");
        assertThat(recipients(set, "tenant.aB.x")).containsExactly("/" + name, "aB");
    }

    @ParameterizedTest
    @CsvSource({
        "{t}-archive, acme-archive, true",
        "{t}-archive, acme-archive-archive, true",
        "{t}-archive, -archive, false",
        "{t}-archive, acme-archives, false",
        "{t}.x, acmeyx, false",
        "a{t}, a.b, false",
        "a{t}, a/../b, false",
        "{t}+{t}, a+b, true",
        "{t}, '', false",
    })
    void namesByAddress_areThoseThatValuesMake(String name, String made, boolean expected) {
        assertThat(Policy.namesByAddress(name).test(made)).isEqualTo(expected);
    }

    @Test
    void namesThatAreTooLong_areRejected_andThoseThatBecomeSoFindNoCertificate() {
        String longest = "{t}" + "x".repeat(253);

        assertThat(problems(Policy.privacy("{t}", List.of(longest + "x"))))
                .singleElement()
                .asString()
                .startsWith("policies[0].recipients: a name with variables of more than 256 characters");
        PolicySet set = set(Policy.privacy("{t}", List.of(longest)));
        assertThat(recipients(set, "abc").get(0)).hasSize(256);
        assertThat(recipients(set, "abcd")).containsExactly("/" + longest);
    }

    @Test
    void applied_hasTheValuesOfAnAddressOrOfWordsOfAPattern() {
        PolicySet set = set(TENANT).withRecovery(List.of("vault"));

        assertThat(set.applied(TENANT, "tenant.acme.orders"))
                .isEqualTo(set.find("tenant.acme.orders").orElseThrow());
        assertThat(set.applied(TENANT, "tenant.acme.#").policy().encryption().recipients())
                .containsExactly("acme-archive", "alice", "vault");
        assertThat(set.applied(TENANT, "tenant.#").policy().encryption().recipients())
                .contains("/{t}-archive");
        assertThat(set.applied(TENANT, "tenant.*.x").policy().encryption().recipients())
                .contains("/{t}-archive");
    }

    private static List<String> problems(Policy policy) {
        return catchThrowableOfType(InvalidPolicyException.class, () -> set(policy)).problems().stream()
                .map(PolicyProblem::toString)
                .toList();
    }

    @Test
    void patternsThatDifferInVariablesAlone_areTheSame() {
        for (String other : List.of("tenant.{x}.#", "tenant.*.#")) {
            assertThat(catchThrowableOfType(InvalidPolicyException.class, () -> set(TENANT, Policy.integrity(other)))
                            .getMessage())
                    .contains("a second policy");
        }
    }

    /** A variable decides as the wildcard of one word does. */
    @Test
    void precedence_isThatOfTheSingleWordWildcard() {
        for (int seed = 0; seed < 60; seed++) {
            RandomAddresses random = new RandomAddresses(seed);
            Map<String, Policy> plain = new LinkedHashMap<>();
            Map<String, Policy> variable = new LinkedHashMap<>();
            for (int i = 0; i < 8; i++) {
                String pattern = random.pattern();
                if (WildcardSyntax.DEFAULT.problemWithPattern(pattern).isEmpty()) {
                    plain.put(pattern, Policy.integrity(pattern));
                    variable.put(pattern, Policy.integrity(withVariables(pattern)));
                }
            }
            PolicySet expected = set(plain.values().toArray(Policy[]::new));
            PolicySet found = set(variable.values().toArray(Policy[]::new));
            for (int i = 0; i < 20; i++) {
                String address = random.address();
                assertThat(found.find(address).map(policy -> policy.policy().pattern()))
                        .as("seed %d, address %s", seed, address)
                        .isEqualTo(expected.find(address)
                                .map(policy -> withVariables(policy.policy().pattern())));
            }
        }
    }

    private static String withVariables(String pattern) {
        String[] words = pattern.split("\\.", -1);
        long left = 4;
        for (int i = 0; i < words.length; i++) {
            if (words[i].equals("*") && left-- > 0) {
                words[i] = "{v" + i + "}";
            }
        }
        return String.join(".", words);
    }

    @Test
    void document_isReadAndWritten_andNamesWithVariablesAreNotLookedUp() {
        PolicySet set = set(Policy.privacy("tenant.{t}.#", List.of("{t}-archive", "alice")));

        PolicySet read = PolicyFile.parse(PolicyFile.format(set), ALICE_AND_BOB);

        assertThat(read).isEqualTo(set);
        assertThat(PolicyFile.problems(set(Policy.privacy("{t}", List.of("{t}", "eve"))), ALICE_AND_BOB))
                .containsExactly(new PolicyProblem("policies[0].recipients[1]", "unknown recipient \"eve\""));
        assertThat(catchThrowableOfType(
                                InvalidPolicyException.class,
                                () -> PolicyFile.parsePolicy(
                                        Map.of("pattern", "a", "quality", "privacy", "recipients", List.of("{t}")),
                                        PolicySet.EMPTY,
                                        ALICE_AND_BOB))
                        .problems())
                .extracting(PolicyProblem::path)
                .containsExactly("recipients");
    }

    @Test
    void applies_isTrueForTheSameValuesAndPolicy() {
        PolicySet set = set(TENANT);
        EffectivePolicy acme = set.find("tenant.acme").orElseThrow();

        assertThat(set.with(Policy.integrity("other")).applies(acme)).isTrue();
        assertThat(set.withRecovery(List.of("vault")).applies(acme)).isFalse();
        assertThat(set.with(Policy.privacy("tenant.{t}.#", List.of("{t}-other")))
                        .applies(acme))
                .isFalse();
        assertThat(set.without("tenant.{t}.#").applies(acme)).isFalse();
    }

    @Test
    void manyTenants_areAllFound() {
        PolicySet set = set(TENANT);

        assertThat(IntStream.range(0, 11_000)
                        .mapToObj(
                                i -> recipients(set, "tenant.t" + i + ".orders").get(0))
                        .collect(Collectors.toSet()))
                .hasSize(11_000)
                .contains("t10999-archive");
    }
}
