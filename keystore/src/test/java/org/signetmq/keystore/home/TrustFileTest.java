/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.trust.RevocationSettings;
import org.signetmq.keystore.trust.RevocationSettings.Failure;
import org.signetmq.keystore.trust.RevocationSettings.Source;
import org.signetmq.keystore.trust.RevocationSettings.WithoutSource;

final class TrustFileTest {
    private static final JsonSchema SCHEMA = schema();

    private static JsonSchema schema() {
        try {
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(Files.readString(Path.of("../docs/trust.schema.json")));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TrustFile parse(String json) {
        return TrustFile.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void fewestKeys_areTheDefaults() {
        assertThat(parse("{\"schema\": 1}")).isEqualTo(TrustFile.DEFAULT);
    }

    @Test
    void timeForUncommittedMessages_isRead() {
        assertThat(TrustFile.DEFAULT.uncommittedUntil()).isEqualTo(Instant.MIN);
        assertThat(parse("{\"schema\": 1, \"uncommitted-until\": \"2027-01-31T00:00:00Z\"}")
                        .uncommittedUntil())
                .isEqualTo(Instant.parse("2027-01-31T00:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"2027-01-31\"", "\"\"", "1", "null", "{}", "\"2027-01-31T00:00:00\"", "\"soon\""})
    void otherTimeForUncommittedMessages_isRefused(String value) {
        String json = "{\"schema\": 1, \"uncommitted-until\": " + value + "}";

        assertThatThrownBy(() -> parse(json))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("uncommitted-until: not a time such as");
        assertThat(SCHEMA.validate(json, InputFormat.JSON)).isNotEmpty();
    }

    @Test
    void emptyRevocation_failsHard() {
        RevocationSettings settings =
                parse("{\"schema\": 1, \"revocation\": {}}").revocation();

        assertThat(settings.failure()).isEqualTo(Failure.HARD);
        assertThat(settings.withoutSource()).isEqualTo(WithoutSource.REFUSE);
        assertThat(settings.crl()).isEqualTo(Source.FILES);
        assertThat(settings.ocsp()).isEqualTo(Source.OFF);
    }

    @Test
    void allKeys_areRead() {
        TrustFile settings = parse("""
                {
                  "schema": 1,
                  "least-rsa-bits": 3072,
                  "curves": ["P-384"],
                  "signature-algorithms": ["SHA384withECDSA", "RSASSA-PSS"],
                  "revocation": {
                    "crl": "fetch", "ocsp": "fetch", "fail": "soft", "without-source": "accept",
                    "hosts": ["CRL.example.com", "[::1]"], "timeout-seconds": 3
                  }
                }
                """);

        assertThat(settings.keys().leastRsaBits()).isEqualTo(3072);
        assertThat(settings.keys().curves()).containsExactly("P-384");
        assertThat(settings.keys().signatures()).containsExactlyInAnyOrder("SHA384withECDSA", "RSASSA-PSS");
        assertThat(settings.revocation())
                .isEqualTo(new RevocationSettings(
                        Source.FETCH,
                        Source.FETCH,
                        Failure.SOFT,
                        WithoutSource.ACCEPT,
                        Set.of("crl.example.com", "[::1]"),
                        Duration.ofSeconds(3)));
    }

    @Test
    void examplesOfTheDocument_areAccepted_byReaderAndSchema() throws IOException {
        List<String> examples = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/trust.md")))
                .results()
                .map(example -> example.group(1))
                .toList();

        assertThat(examples).hasSize(3).allSatisfy(example -> {
            assertThat(parse(example)).isNotEqualTo(TrustFile.DEFAULT);
            assertThat(SCHEMA.validate(example, InputFormat.JSON)).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"schema": 1, "revokation": {}}                       | revokation: unknown key (nearest: 'revocation')
                    {"schema": 1, "revocation": {"clr": "off"}}           | revocation.clr: unknown key (nearest: 'crl')
                    {"schema": 1, "revocation": {"fail": "soff"}}         | (nearest: 'soft')
                    {"schema": 1, "least-rsa-bits": 1024}                 | not a whole number from 2048
                    {"schema": 1, "least-rsa-bits": "3072"}               | not a whole number
                    {"schema": 1, "least-rsa-bits": 1e99}                 | not a whole number
                    {"schema": 1, "curves": []}                           | accepts nothing
                    {"schema": 1, "curves": ["secp256k1"]}                | not one of P-256
                    {"schema": 1, "curves": ["P-256", "P-256"]}           | named twice
                    {"schema": 1, "signature-algorithms": ["SHA1withRSA"]}| not one of
                    {"schema": 1, "revocation": {"hosts": ["http://a/"]}} | the name of a host alone
                    {"schema": 1, "revocation": {"timeout-seconds": 0}}   | from 1 to 60
                    {"schema": 1, "revocation": {"crl": "off"}}           | remove revocation
                    {"schema": 1, "revocation": null}                     | not an object
                    {"schema": 2}                                         | schema
                    {}                                                    | write "schema": 1
                    []                                                    | not an object
                    """)
    void wrongDocument_isRefused_byReaderAndSchema(String json, String problem) {
        assertThatThrownBy(() -> parse(json))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageStartingWith("trust.json: ")
                .hasMessageContaining(problem);
        assertThat(SCHEMA.validate(json, InputFormat.JSON)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"schema\": 1} x",
                "{\"schema\": 1, \"schema\": 1}",
                "{\"schema\": 1, \"curves\": [[[[[[\"P-256\"]]]]]]}",
                "{\"schema\": 1, \"\\u001b[31m\": 1}",
            })
    void textThatIsNoDocument_isRefusedInPrintableWords(String json) {
        assertThatThrownBy(() -> parse(json))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageMatching("[\\x20-\\x7e]+");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"schema\": 1}",
                "{\"schema\": 1, \"revocation\": {}}",
                "{\"schema\": 1, \"curves\": [\"P-256\"], \"revocation\": {\"ocsp\": \"fetch\", \"hosts\": [\"a.b\"]}}",
            })
    void rightDocument_isAccepted_byReaderAndSchema(String json) {
        assertThat(parse(json)).isNotNull();
        assertThat(SCHEMA.validate(json, InputFormat.JSON)).isEmpty();
    }
}
