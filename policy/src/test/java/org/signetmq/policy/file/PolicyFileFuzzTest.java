/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.PolicySet;

/** Parses policy documents of random text. */
final class PolicyFileFuzzTest {
    private static final String EVERY_FIELD = """
            {"schema": 1, "version": 17, "unmatched": "reject",
             "wildcards": {"delimiter": "/", "any-words": "#", "single-word": "+"},
             "policies": [
              {"pattern": "orders/#", "quality": "confidentiality", "encryption-algorithm": "AES-256",
               "recipients": ["alice", "CN=bob,O=Example"], "key-reuse": 64, "max-key-age": "PT30M",
               "max-bytes-per-key": "1GiB", "toleration": {"until": "2030-01-01T00:00:00Z"}},
              {"pattern": "cards/+/eu", "quality": "privacy", "recipients": ["alice"], "signers": ["ski:00ff"],
               "signature-algorithm": "SHA-512-RSA-PSS", "brokers": ["broker"], "accept-legacy": true,
               "certificate": "include"},
              {"pattern": "open", "quality": "none"}]}
            """;

    /** The first documents of the corpus. */
    static Stream<Arguments> documents() {
        return Stream.of(
                        EVERY_FIELD,
                        EVERY_FIELD.replace("\"wildcards\"", "\"other\""),
                        "{\"schema\": 1, \"version\": 1, \"policies\": []}",
                        "{\"schema\": 1, \"version\": 1, \"policies\": [{\"pattern\": \"a.*.#\", \"quality\": \"integrity\"}]}",
                        "{\"schema\": 1, \"version\": 1e99, \"policies\": [null, [], {\"pattern\": 3}]}",
                        "[[[[[[[[")
                .map(Arguments::of);
    }

    @MethodSource("documents")
    @FuzzTest(maxDuration = "30s")
    void parsedDocument_writtenAndParsedAgain_isEqual(@NotNull String text) {
        PolicySet policies;
        try {
            policies = PolicyFile.parse(text, PartyValidator.acceptAll());
        } catch (InvalidPolicyException expected) {
            assertThat(expected.problems()).isNotEmpty();
            return;
        }

        assertThat(PolicyFile.parse(PolicyFile.format(policies), PartyValidator.acceptAll()))
                .isEqualTo(policies);
        policies.policies().forEach(policy -> policies.explain(policy.pattern()));
    }
}
