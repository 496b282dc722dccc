/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Pem;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.testkit.Openssl;

/**
 * Messages with keys of the example {@link KmsKey}, in an emulator of AWS KMS such as LocalStack. The system property
 * {@code signet.kms} has its address, here {@code http://127.0.0.1:4566/}. LocalStack before 4.11 derives another
 * secret than AWS does, and from 4.14 on it needs a newer Python than 3.11:
 *
 * <pre>{@code
 * python3 -m venv kms
 * kms/bin/pip install 'localstack-core[base-runtime]==4.11.1' moto-ext==5.1.18.post58 pyopenssl==24.2.1 \
 *   cryptography==43.0.3 service_identity==24.2.0 cbor2==5.6.5
 * SERVICES=kms GATEWAY_SERVER=hypercorn GATEWAY_LISTEN=127.0.0.1:4566 FILESYSTEM_ROOT=$PWD/kms-data \
 *   LOCALSTACK_VOLUME_DIR=$PWD/kms-data kms/bin/python -m localstack.runtime.main
 * }</pre>
 */
@EnabledIfSystemProperty(named = "signet.kms", matches = "http://.+")
final class KmsEmulatorTest {
    private static final ClearMessage MESSAGE = Parties.text("transfer 100 to alice".getBytes(UTF_8));

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI service = URI.create(System.getProperty("signet.kms", ""));

    @TempDir
    private Path folder;

    private Parties parties;

    @BeforeEach
    void open() {
        parties = new Parties();
    }

    @AfterEach
    void close() {
        parties.close();
    }

    @Test
    void messageSealedForAKeyOfTheEmulator_opensByIt_andByNoDeletedKey() throws Exception {
        PolicySet policies =
                Parties.policies(Policy.confidentiality(Parties.ADDRESS, List.of("service"), KeyLimits.DEFAULT));
        String keyId = create("KEY_AGREEMENT");
        Identity remote = identity("service", keyId, "keyAgreement");
        byte[] sealed = parties.seal(MESSAGE, policies, parties.identity("sender"));
        Identity deleted = new Identity(
                "service",
                key("00000000-0000-0000-0000-000000000000", remote.certificate().getPublicKey()),
                remote.chain());

        Parties.assertRejected(
                KeystoreUnusableException.class,
                parties.opener(List.of(deleted), policies),
                sealed,
                "it answers NotFoundException");
        assertThat(parties.opener(List.of(remote), policies)
                        .open(sealed, Parties.ADDRESS)
                        .payload())
                .isEqualTo(MESSAGE.payload());
    }

    @Test
    void messageSignedByAKeyOfTheEmulator_isAccepted() throws Exception {
        PolicySet policies = Parties.policies(Policy.integrity(Parties.ADDRESS));
        Identity remote = identity("signer", create("SIGN_VERIFY"), "digitalSignature");

        byte[] sealed = parties.seal(MESSAGE, policies, remote);

        assertThat(parties.opener(List.of(), policies)
                        .open(sealed, Parties.ADDRESS)
                        .payload())
                .isEqualTo(MESSAGE.payload());
    }

    private String create(String usage) throws Exception {
        return field(call("CreateKey", "\"KeySpec\":\"ECC_NIST_P521\",\"KeyUsage\":\"" + usage + "\""), "KeyId");
    }

    /** Makes an identity of a key, whose certificate the home has. */
    private Identity identity(String name, String keyId, String keyUsage) throws Exception {
        byte[] encoded =
                Base64.getDecoder().decode(field(call("GetPublicKey", "\"KeyId\":\"" + keyId + "\""), "PublicKey"));
        PublicKey key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded));
        Openssl openssl = new Openssl(folder);
        openssl.write("key.der", encoded);
        openssl.write("extensions", ("keyUsage = critical," + keyUsage).getBytes(UTF_8));
        openssl.line("pkey -pubin -inform DER -in key.der -out key.pem");
        openssl.line("ecparam -name prime256v1 -genkey -noout -out any.pem");
        openssl.line("x509 -new -subj /CN=" + name + " -force_pubkey key.pem -key any.pem -extfile extensions -out "
                + name + ".pem");
        for (Path place : List.of(parties.home.recipients(), parties.home.trust())) {
            Files.copy(
                    folder.resolve(name + ".pem"),
                    Files.createDirectories(place).resolve(name + ".pem"));
        }
        return new Identity(name, key(keyId, key), Pem.readCertificates(folder.resolve(name + ".pem")));
    }

    private KmsKey key(String keyId, PublicKey key) {
        return new KmsKey(service, Duration.ofSeconds(20), keyId, (ECPublicKey) key);
    }

    private String call(String action, String parameters) throws Exception {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(service)
                        .header("X-Amz-Target", "TrentService." + action)
                        .header("Content-Type", "application/x-amz-json-1.1")
                        .POST(HttpRequest.BodyPublishers.ofString("{" + parameters + "}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(action + ": " + answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static String field(String answer, String name) {
        Matcher found = Pattern.compile("\"" + name + "\": ?\"(?:arn:[^\"]*/)?([^\"]+)\"")
                .matcher(answer);
        assertThat(found.find()).as(name + " in " + answer).isTrue();
        return found.group(1);
    }
}
