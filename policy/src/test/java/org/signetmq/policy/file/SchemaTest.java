/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.signetmq.policy.Parties.ALICE_AND_BOB;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.policy.Amounts;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.EncryptionAlgorithm;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.RandomPolicies;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.UnmatchedAddress;
import org.signetmq.policy.internal.text.DocumentLimits;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.testkit.Tier;

/** Keeps the published schema and the reader in step. */
final class SchemaTest {
    private static final Path FILE = Path.of("..", "docs", "policies.schema.json");
    private static final JsonNode SCHEMA = read();
    private static final JsonSchema VALIDATOR =
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(SCHEMA);

    @Test
    void keys_areTheSame() {
        assertThat(keys("/properties")).containsExactlyElementsOf(PolicyKeys.OF_DOCUMENT);
        assertThat(keys("/$defs/policy/properties")).containsExactlyElementsOf(PolicyKeys.OF_POLICY);
        assertThat(keys("/$defs/wildcards/properties")).containsExactlyElementsOf(PolicyKeys.OF_WILDCARDS);
        assertThat(keys("/$defs/toleration/properties")).containsExactlyElementsOf(PolicyKeys.OF_TOLERATION);
    }

    @Test
    void everyKey_isDescribed() {
        for (String part : List.of(
                "/properties",
                "/$defs/policy/properties",
                "/$defs/toleration/properties",
                "/$defs/wildcards/properties")) {
            SCHEMA.at(part)
                    .properties()
                    .forEach(property -> assertThat(
                                    property.getValue().path("description").asText())
                            .as(property.getKey())
                            .isNotBlank());
        }
    }

    @Test
    void choices_areTheSame() {
        assertThat(choices("quality/enum")).isEqualTo(labels(QualityOfProtection.values(), QualityOfProtection::label));
        assertThat(choices("where/enum")).isEqualTo(labels(SealingPlace.values(), SealingPlace::label));
        assertThat(choices("certificate/enum"))
                .isEqualTo(labels(CertificateInclusion.values(), CertificateInclusion::label));
        assertThat(choices("signature-algorithm/anyOf/0/enum"))
                .isEqualTo(labels(SignatureAlgorithm.values(), SignatureAlgorithm::label));
        assertThat(choices("encryption-algorithm/anyOf/0/enum"))
                .isEqualTo(labels(EncryptionAlgorithm.values(), EncryptionAlgorithm::label));
        assertThat(choices("verify/enum"))
                .isEqualTo(labels(Policy.SignatureCheck.values(), Policy.SignatureCheck::label));
        assertThat(choices("on-failure/enum")).isEqualTo(labels(Policy.OnFailure.values(), Policy.OnFailure::label));
        assertThat(texts(SCHEMA.at("/properties/unmatched/enum")))
                .isEqualTo(labels(UnmatchedAddress.values(), UnmatchedAddress::label));
    }

    @Test
    void boundsAndDefaults_areTheSame() {
        assertThat(policy("key-reuse/anyOf/0/maximum").asLong()).isEqualTo(KeyLimits.MOST_MESSAGES);
        assertThat(policy("max-bytes-per-key/anyOf/0/maximum").asLong()).isEqualTo(KeyLimits.MOST_BYTES);
        assertThat(SCHEMA.at("/properties/schema/const").asInt()).isEqualTo(DocumentReader.SCHEMA_VERSION);
        assertThat(SCHEMA.at("/properties/policies/maxItems").asInt()).isEqualTo(DocumentLimits.MOST_POLICIES);
        assertThat(SCHEMA.at("/properties/recovery/maxItems").asInt()).isEqualTo(DocumentLimits.MOST_RECOVERY);
        assertThat(policy("hide/maxItems").asInt()).isEqualTo(DocumentLimits.MOST_HIDDEN);
        assertThat(SCHEMA.at("/properties/users/maxProperties").asInt()).isEqualTo(DocumentLimits.MOST_ENTRIES);
        assertThat(SCHEMA.at("/$defs/parties/maxItems").asInt()).isEqualTo(DocumentLimits.MOST_NAMES);
        assertThat(SCHEMA.at("/$defs/parties/items/maxLength").asInt()).isEqualTo(DocumentLimits.LONGEST_TEXT);
        assertThat(policy("pattern/maxLength").asInt()).isEqualTo(DocumentLimits.LONGEST_TEXT);
        assertThat(policy("key-reuse/default").asLong()).isEqualTo(KeyLimits.DEFAULT_MESSAGES);
        assertThat(Amounts.bytes(policy("max-bytes-per-key/default").asText())).hasValue(KeyLimits.MOST_BYTES);
        assertThat(Amounts.duration(policy("max-key-age/default").asText())).hasValue(KeyLimits.DEFAULT_AGE);
        assertThat(policy("signature-algorithm/default").asText())
                .isEqualTo(Policy.Signing.DEFAULT.algorithm().label());
        assertThat(policy("encryption-algorithm/default").asText()).isEqualTo(EncryptionAlgorithm.AES_256.label());
        assertThat(policy("certificate/default").asText())
                .isEqualTo(Policy.Signing.DEFAULT.certificate().label());
        assertThat(policy("where/default").asText())
                .isEqualTo(Policy.Acceptance.DEFAULT.where().label());
    }

    @Test
    void whatIsWritten_isValid() {
        long seed = 2_718;
        RandomPolicies random = new RandomPolicies(seed);

        for (int i = 0; i < Tier.rounds(500); i++) {
            String json = PolicyFile.format(random.set());
            assertThat(VALIDATOR.validate(json, InputFormat.JSON))
                    .as("seed %d, round %d: %s", seed, i, json)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'pattern':'a.*.#','quality':'integrity' | true
            'pattern':'a(b)','quality':'none' | true
            'pattern':'a b','quality':'none','recipients':[],'signers':[] | true
            'pattern':'a','quality':'privacy','recipients':['alice'],'encryption-algorithm':'aes256-gcm' | true
            'pattern':'a','quality':'integrity','signature-algorithm':'Sha512' | true
            CONFIDENTIAL,'key-reuse':0,'max-bytes-per-key':'1 GiB','max-key-age':'7d' | true
            CONFIDENTIAL,'key-reuse':'unlimited','max-bytes-per-key':77,'max-key-age':'PT1H30M' | true
            CONFIDENTIAL,'toleration':{'until':'2026-12-31T00:00:00+01:00'} | true
            CONFIDENTIAL,'toleration':'enforce','where':'client','certificate':'referenced' | true
            CONFIDENTIAL,'accept-legacy':true | true
            CONFIDENTIAL,'audit':'each' | true
            CONFIDENTIAL,'audit':'none' | false
            'pattern':'a','quality':'none','accept-legacy':false | true
            'pattern':'a','quality':'integrity','brokers':['alice'] | true
            'pattern':'a','quality':'none','brokers':[] | true
            'pattern':'$orders','quality':'none' | true
            'pattern':'activemq.managements','quality':'none' | true
            'pattern':'activemq.management','quality':'none' | false
            'pattern':'ActiveMQ.Advisory.#','quality':'none' | false
            'pattern':'$sys.mqtt.sessions','quality':'none' | false
            'pattern':'$.artemis.internal.#','quality':'none' | false
            'pattern':'$ACTIVEMQ_ARTEMIS_MIRROR_*','quality':'none' | false
            'pattern':'','quality':'none' | false
            'pattern':' a','quality':'none' | false
            'pattern':'a::b','quality':'none' | false
            'pattern':'a#b','quality':'none' | false
            'pattern':'##','quality':'none' | false
            'pattern':'a+.*','quality':'none' | false
            'pattern':'*.[a','quality':'none' | false
            'pattern':'a\\\\*','quality':'none' | false
            'pattern':'a\\nb','quality':'none' | false
            'pattern':'a' | false
            'quality':'none' | false
            'pattern':'a','quality':'None' | false
            'pattern':'a','quality':'privacy' | false
            'pattern':'a','quality':'privacy','recipients':[] | false
            'pattern':'a','quality':'privacy','recipients':['alice'],'key-reuse':1 | false
            'pattern':'a','quality':'integrity','recipients':['alice'] | false
            'pattern':'a','quality':'none','max-key-age':'1h' | false
            CONFIDENTIAL,'signers':['alice'] | false
            CONFIDENTIAL,'encryption-algorithm':'AES-128' | false
            CONFIDENTIAL,'signature-algorithm':'SHA-1' | false
            CONFIDENTIAL,'key-reuse':-1 | false
            CONFIDENTIAL,'key-reuse':'32' | false
            CONFIDENTIAL,'max-bytes-per-key':'1GB' | false
            CONFIDENTIAL,'max-bytes-per-key':0 | false
            CONFIDENTIAL,'max-key-age':'1 hour' | false
            CONFIDENTIAL,'max-key-age':3600 | false
            CONFIDENTIAL,'toleration':'tolerate' | false
            CONFIDENTIAL,'toleration':{} | false
            CONFIDENTIAL,'toleration':{'until':'tomorrow'} | false
            CONFIDENTIAL,'toleration':{'until':'2026-12-31'} | false
            CONFIDENTIAL,'where':'moon' | false
            CONFIDENTIAL,'accept-legacy':'true' | false
            CONFIDENTIAL,'accept-legacy':1 | false
            CONFIDENTIAL,'accept-legacy':null | false
            CONFIDENTIAL,'brokers':['alice'] | false
            'pattern':'a','quality':'integrity','brokers':'alice' | false
            'pattern':'a','quality':'integrity','brokers':['alice','alice'] | false
            INTEGRITY,'verify':'structure','bind-user':'certificate','hide':['region','$_1'] | true
            INTEGRITY,'verify':'signature','replay-window':'10m','on-failure':'skip','quarantine':'bad' | true
            CONFIDENTIAL,'extra-recipients':'allow','hide':[],'replay-window':'7d','on-failure':'reject' | true
            'pattern':'a','quality':'privacy','recipients':['alice'],'verify':'signature' | true
            'pattern':'a','quality':'privacy','recipients':['alice'],'verify':'structure' | false
            'pattern':'a','quality':'privacy','recipients':['alice'],'bind-user':'certificate' | false
            INTEGRITY,'verify':'structure','replay-window':'10m' | false
            INTEGRITY,'extra-recipients':'refuse' | false
            INTEGRITY,'bind-user':true | false
            INTEGRITY,'bind-user':'name' | false
            INTEGRITY,'verify':'nothing' | false
            INTEGRITY,'replay-window':10 | false
            INTEGRITY,'replay-window':'forever' | false
            INTEGRITY,'hide':'region' | false
            INTEGRITY,'hide':['a','a'] | false
            INTEGRITY,'hide':['JMSType'] | false
            INTEGRITY,'hide':['_AMQ_GROUP_ID'] | false
            INTEGRITY,'hide':['a-b'] | false
            INTEGRITY,'hide':[1] | false
            INTEGRITY,'on-failure':'drop' | false
            INTEGRITY,'quarantine':' ' | false
            CONFIDENTIAL,'verify':'signature' | false
            CONFIDENTIAL,'extra-recipients':true | false
            'pattern':'a','quality':'none','hide':['a'] | false
            'pattern':'a','quality':'none','replay-window':'10m' | false
            'pattern':'a','quality':'none','on-failure':'skip' | false
            'pattern':'a','quality':'none','quarantine':'bad' | false
            CONFIDENTIAL,'extra':1 | false
            'pattern':'a','quality':'privacy','recipients':['alice','alice'] | false
            'pattern':'a','quality':'privacy','recipients':[' '] | false
            'pattern':'a','quality':'privacy','recipients':'alice' | false
            """)
    void policy_isTakenOrRejectedByBoth(String fields, boolean taken) {
        String confidential = "'pattern':'a','quality':'confidentiality','recipients':['alice']";
        String json = ("{'schema':1,'version':1,'policies':[{"
                        + fields.replace("CONFIDENTIAL", confidential)
                                .replace("INTEGRITY", "'pattern':'a','quality':'integrity'")
                        + "}]}")
                .replace('\'', '"');

        assertThat(VALIDATOR.validate(json, InputFormat.JSON).isEmpty())
                .as("schema")
                .isEqualTo(taken);
        assertThat(isRead(json)).as("reader").isEqualTo(taken);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'u 1':['alice'],'nobody':[]} | true
            {} | true
            {'alice':'a'} | false
            {'alice':['a','a']} | false
            {' ':['a']} | false
            ['alice'] | false
            """)
    void users_areTakenOrRejectedByBoth(String users, boolean taken) {
        String json = ("{'schema':1,'version':1,'users':" + users + ",'policies':[]}").replace('\'', '"');

        assertThat(VALIDATOR.validate(json, InputFormat.JSON).isEmpty())
                .as("schema")
                .isEqualTo(taken);
        assertThat(isRead(json)).as("reader").isEqualTo(taken);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {} | orders.# | true
            {'delimiter':'/'} | orders/# | true
            {'delimiter':'/','any-words':'>','single-word':'+'} | +/orders/> | true
            {'delimiter':'_'} | orders_* | true
            {'delimiter':'/'} | $sys.mqtt.a | false
            {'delimiter':'//'} | orders | false
            {'delimiter':''} | orders | false
            {'delimiter':' '} | orders | false
            {'delimiter':'\\\\'} | orders | false
            {'delimiter':1} | orders | false
            {'word':'a'} | orders | false
            '/' | orders | false
            """)
    void wildcards_areTakenOrRejectedByBoth(String wildcards, String pattern, boolean taken) {
        String json = ("{'schema':1,'version':1,'wildcards':" + wildcards + ",'policies':[{'pattern':'" + pattern
                        + "','quality':'none'}]}")
                .replace('\'', '"');

        assertThat(VALIDATOR.validate(json, InputFormat.JSON).isEmpty())
                .as("schema")
                .isEqualTo(taken);
        assertThat(isRead(json)).as("reader").isEqualTo(taken);
    }

    private static boolean isRead(String json) {
        try {
            PolicyFile.parse(json, ALICE_AND_BOB);
            return true;
        } catch (InvalidPolicyException e) {
            return false;
        }
    }

    private static List<String> keys(String pointer) {
        List<String> keys = new ArrayList<>();
        SCHEMA.at(pointer).fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    private static JsonNode policy(String path) {
        return SCHEMA.at("/$defs/policy/properties/" + path);
    }

    private static List<String> choices(String path) {
        return texts(policy(path));
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(value -> texts.add(value.asText()));
        return texts;
    }

    private static <E> List<String> labels(E[] values, Function<E, String> label) {
        return Arrays.stream(values).map(label).toList();
    }

    private static JsonNode read() {
        try {
            return new ObjectMapper().readTree(Files.readString(FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
