/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.external;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrivateKeyOperations;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.home.ExternalKeys;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.KeyWatch;
import org.signetmq.keystore.home.Pem;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.KeyTransport;
import org.signetmq.testkit.OpenBao;
import org.signetmq.testkit.Tier;

/** Keys in the real OpenBao. */
@Tag(Tier.LONG)
final class TransitKeyTest {
    private static final byte[] BYTES = "a message".getBytes(UTF_8);
    private static final String[] ALL = {"transit/keys/* read", "transit/sign/* update", "transit/decrypt/* update"};

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path serverFolder;

    @SuppressWarnings("NullAway.Init") // before all tests
    private static OpenBao server;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = OpenBao.start(serverFolder);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void token() throws IOException {
        token(server.token(ALL));
    }

    private void token(String text) throws IOException {
        Path next = folder.resolve("next");
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(next, text);
        Files.move(next, folder.resolve("token"), StandardCopyOption.REPLACE_EXISTING);
    }

    private ExternalKeys keys(String key) {
        return keys(server.address() + "/transit/" + key, "token-file=" + folder.resolve("token"));
    }

    private static ExternalKeys keys(String address, String query) {
        return KeyStoreUri.parse("transit:" + address + "?" + query).keys(() -> {
            throw new AssertionError("a key service needs no PIN");
        });
    }

    private Home home() {
        return new Home(folder.resolve("home"));
    }

    private Home home(String name, X509Certificate... certificates) throws IOException {
        Home home = home();
        Files.createDirectories(home.recipients());
        Path next = Files.writeString(
                home.recipients().resolve("." + name),
                Stream.of(certificates).map(Pem::certificatePem).collect(Collectors.joining()));
        Files.move(next, home.recipients().resolve(name + ".pem"), StandardCopyOption.REPLACE_EXISTING);
        return home;
    }

    private static X509Certificate certificate(PublicKey key, String dn) {
        return CertificateForge.of(dn, new KeyPair(key, TestCertificates.ec().getPrivate()))
                .by(CertificateForge.of("CN=issuer").authority().make())
                .until(Instant.parse("2040-01-01T00:00:00Z"))
                .make()
                .certificate();
    }

    /** Makes a key with a certificate in the home, and returns its identity. */
    private Identity made(String name, String type) throws IOException {
        server.makeKey(name, type);
        return certified(name);
    }

    private Identity certified(String name) throws IOException {
        PublicKey key = keys(name).requested(name, home()).certificate().getPublicKey();
        return keys(name)
                .loadAll(name, home(name, certificate(key, "CN=" + name)))
                .current();
    }

    private static boolean verifies(PublicKey key, SignatureScheme scheme, String digest, byte[] signature)
            throws Exception {
        Signature verifying = CryptoProviders.jdk().verifying(scheme, digest, key);
        verifying.update(BYTES);
        return verifying.verify(signature);
    }

    private static byte[] wrapped(Identity identity, byte[] key) {
        return new KeyTransport(CryptoProviders.jdk())
                .wrap(identity.certificate().getPublicKey(), DataKey.takeOwnershipOf(key.clone()));
    }

    /** Encrypts as any sender can, also what is no key. */
    private static byte[] encrypted(Identity identity, byte[] bytes) throws Exception {
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
        cipher.init(
                Cipher.ENCRYPT_MODE,
                identity.certificate().getPublicKey(),
                new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT));
        return cipher.doFinal(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsa-2048", "rsa-3072", "rsa-4096", "ecdsa-p256", "ecdsa-p384", "ecdsa-p521", "ed25519"})
    void keyOfEachType_signsWithEachDigest(String type) throws Exception {
        Identity identity = made("signs-" + type, type);
        PublicKey key = identity.certificate().getPublicKey();
        SignatureScheme natural = SignatureScheme.of(key).orElseThrow();

        for (String digest : List.of("SHA-256", "SHA-384", "SHA-512")) {
            for (SignatureScheme scheme : natural == SignatureScheme.RSA
                    ? List.of(SignatureScheme.RSA, SignatureScheme.RSA_PSS)
                    : List.of(natural)) {
                byte[] signature = identity.privateKey().sign(scheme, digest, BYTES);
                assertThat(verifies(key, scheme, digest, signature)).isTrue();
            }
        }
        assertThatThrownBy(() -> identity.privateKey().sign(SignatureScheme.ML_DSA_65, "SHA-256", BYTES))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("cannot sign with ML_DSA_65");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsa-2048", "rsa-3072", "rsa-4096"})
    void rsaKey_opensWhatSignetEncrypts_andNothingElse(String type) throws Exception {
        Identity identity = made("opens-" + type, type);
        PrivateKeyOperations key = identity.privateKey();
        byte[] secret = new byte[32];
        secret[0] = 7;
        byte[] right = wrapped(identity, secret);

        assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, right)).isEqualTo(secret);
        byte[] changed = right.clone();
        changed[changed.length - 1] ^= 1;
        assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, changed)).isNull();
        assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, new byte[right.length]))
                .isNull();
        byte[] large = new byte[right.length];
        java.util.Arrays.fill(large, (byte) 0xff);
        assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, large)).isNull();
        assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, new byte[0])).isNull();
        assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, new byte[1 << 20]))
                .isNull();
        assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_1, right)).isNull();
        assertThat(key.unwrap(KeyTransportPadding.PKCS1, right)).isNull();
        assertThat(key.agree(TestCertificates.ec().getPublic())).isNull();
        assertThat(new KeyTransport(CryptoProviders.jdk())
                        .unwrap(key, KeyTransportPadding.OAEP_SHA_256, encrypted(identity, new byte[0])))
                .isNull();
        assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, right)).isEqualTo(secret);
    }

    @Test
    void ellipticKey_opensNoMessage_andSaysWhy() throws Exception {
        Identity identity = made("elliptic", "ecdsa-p256");
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        ECPublicKey other = (ECPublicKey) generator.generateKeyPair().getPublic();

        assertThatThrownBy(() -> identity.privateKey().agree(other))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("Transit has no ECDH");
        assertThat(keys("elliptic").loadAll("elliptic", home()).findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("Transit opens messages by RSA keys alone"));
    }

    @Test
    void keyWithoutCertificate_isRefused_withTheWayToGetOne() throws Exception {
        server.makeKey("bare", "rsa-2048");

        assertThatThrownBy(() -> keys("bare").loadAll("bare", home()))
                .hasMessageContaining("the home has no certificate of it in recipients/bare.pem")
                .hasMessageContaining("signet identity request bare --key-store URI");
    }

    @Test
    void rotatedKey_isCurrent_whenTheHomeHasItsCertificate_andOldOnesOpen() throws Exception {
        Identity first = made("rotated", "rsa-2048");
        byte[] secret = new byte[32];
        byte[] old = wrapped(first, secret);
        try (KeyWatch watch = keys("rotated").watch("rotated", home())) {
            server.call("POST", "transit/keys/rotated/rotate", Map.of());
            Identity next = keys("rotated").requested("rotated", home());
            assertThat(next.certificate().getSubjectX500Principal().getName()).isEqualTo("CN=rotated");
            assertThat(next.certificate().getPublicKey())
                    .isNotEqualTo(first.certificate().getPublicKey());
            assertThat(keys("rotated").loadAll("rotated", home()).all()).hasSize(1);

            X509Certificate issued = certificate(next.certificate().getPublicKey(), "CN=rotated");
            home("rotated", issued, first.certificate());
            await().until(() -> watch.current().size() == 2);

            assertThat(watch.current().get(0).certificate()).isEqualTo(issued);
            PrivateKeyOperations key = watch.current().get(0).privateKey();
            byte[] signature = key.sign(SignatureScheme.RSA, "SHA-256", BYTES);
            assertThat(verifies(issued.getPublicKey(), SignatureScheme.RSA, "SHA-256", signature))
                    .isTrue();
            assertThat(watch.current().get(1).privateKey().unwrap(KeyTransportPadding.OAEP_SHA_256, old))
                    .isEqualTo(secret);
            assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, old)).isNull();
        }
    }

    @Test
    void serviceThatStops_failsEachOperation_andIsUsedAgain_whenItIsBack() throws Exception {
        Identity identity = made("stopped", "rsa-2048");
        PrivateKeyOperations key = identity.privateKey();
        byte[] right = wrapped(identity, new byte[32]);
        key.requireUsable();

        server.stop();
        assertThatThrownBy(() -> key.sign(SignatureScheme.RSA, "SHA-256", BYTES))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("it cannot be reached (ConnectException)");
        assertThatThrownBy(() -> key.unwrap(KeyTransportPadding.OAEP_SHA_256, right))
                .isInstanceOf(KeystoreUnusableException.class);
        assertThatThrownBy(key::requireUsable).isInstanceOf(KeystoreUnusableException.class);

        server.startAgainSealed();
        assertThatThrownBy(() -> key.sign(SignatureScheme.RSA, "SHA-256", BYTES))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("it answers 503");
        assertThatThrownBy(() -> key.unwrap(KeyTransportPadding.OAEP_SHA_256, new byte[256]))
                .isInstanceOf(KeystoreUnusableException.class);

        server.stop();
        server.startAgain();
        key.requireUsable();
        assertThat(key.sign(SignatureScheme.RSA, "SHA-256", BYTES)).isNotEmpty();
        assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, right)).hasSize(32);
    }

    @Test
    void tokenThatIsRevoked_isRefused_untilTheFileHasAnother() throws Exception {
        String first = server.token(ALL);
        token(first);
        PrivateKeyOperations key = made("revoked", "ecdsa-p256").privateKey();
        server.call("POST", "auth/token/revoke", Map.of("token", first));

        assertThatThrownBy(() -> key.sign(SignatureScheme.ECDSA, "SHA-256", BYTES))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("it does not sign: it answers 403")
                .hasMessageContaining("update on transit/sign/revoked")
                .hasMessageNotContaining(first);

        token(server.token(ALL));
        assertThat(key.sign(SignatureScheme.ECDSA, "SHA-256", BYTES)).isNotEmpty();
    }

    @Test
    void policyOfTheToken_decidesWhatAKeyDoes() throws Exception {
        Identity identity = made("limited", "rsa-2048");
        PrivateKeyOperations key = identity.privateKey();
        byte[] right = wrapped(identity, new byte[32]);

        token(server.token("transit/keys/limited read", "transit/decrypt/limited update"));
        assertThat(key.unwrap(KeyTransportPadding.OAEP_SHA_256, right)).hasSize(32);
        assertThatThrownBy(() -> key.sign(SignatureScheme.RSA, "SHA-256", BYTES))
                .hasMessageContaining("update on transit/sign/limited");
        key.requireUsable(); // it opens messages

        token(server.token("transit/keys/limited read", "transit/sign/limited update"));
        assertThat(key.sign(SignatureScheme.RSA, "SHA-256", BYTES)).isNotEmpty();
        assertThatThrownBy(() -> key.unwrap(KeyTransportPadding.OAEP_SHA_256, right))
                .hasMessageContaining("update on transit/decrypt/limited");

        token(server.token("transit/sign/limited update"));
        assertThatThrownBy(() -> keys("limited").loadAll("limited", home()))
                .hasMessageContaining("its policy has read on transit/keys/limited");
    }

    @Test
    void keyThatIsDeleted_isGone_andAnotherOfTheSameName_isNoticed() throws Exception {
        Identity identity = made("deleted", "rsa-2048");
        PrivateKeyOperations key = identity.privateKey();
        byte[] right = wrapped(identity, new byte[32]);
        server.call("POST", "transit/keys/deleted/config", Map.of("deletion_allowed", true));
        server.call("DELETE", "transit/keys/deleted", Map.of());

        assertThatThrownBy(() -> key.sign(SignatureScheme.RSA, "SHA-256", BYTES))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("it does not sign: it answers 400");
        assertThatThrownBy(() -> key.unwrap(KeyTransportPadding.OAEP_SHA_256, right))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("it does not decrypt");
        assertThatThrownBy(() -> keys("deleted").loadAll("deleted", home()))
                .hasMessageContaining("there is no such key in the engine at transit");

        server.makeKey("deleted", "rsa-2048");
        assertThatThrownBy(() -> key.sign(SignatureScheme.RSA, "SHA-256", BYTES))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("another private key than that of the certificate");
        assertThatThrownBy(() -> key.unwrap(KeyTransportPadding.OAEP_SHA_256, right))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("it does not decrypt");
        assertThatThrownBy(key::requireUsable).isInstanceOf(KeystoreUnusableException.class);
        assertThatThrownBy(() -> keys("deleted").loadAll("deleted", home()))
                .hasMessageContaining("the home has no certificate of it");
    }

    @Test
    void keyOfAnotherType_isRefused() throws Exception {
        server.makeKey("symmetric", "aes256-gcm96");

        assertThatThrownBy(() -> keys("symmetric").loadAll("symmetric", home()))
                .hasMessageContaining("a type that Signet does not use; make a key of the type rsa-3072");
    }

    @Test
    void service_isTrustedByItsIssuer_andNotWithout() throws Exception {
        made("tls", "ecdsa-p256");
        String address = server.tlsAddress() + "/transit/tls";
        String token = "token-file=" + folder.resolve("token");

        assertThatThrownBy(() -> keys(address, token).loadAll("tls", home()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("its TLS certificate is not accepted");
        Path other = Files.writeString(
                folder.resolve("other.pem"),
                Pem.certificatePem(
                        CertificateForge.of("CN=other").authority().make().certificate()));
        assertThatThrownBy(() -> keys(address, token + "&ca-file=" + other).loadAll("tls", home()))
                .hasMessageContaining("its TLS certificate is not accepted");
        String name = address.replace("127.0.0.1", "localhost"); // the certificate is for the number
        assertThatThrownBy(
                        () -> keys(name, token + "&ca-file=" + server.caFile()).loadAll("tls", home()))
                .hasMessageContaining("its TLS certificate is not accepted");

        assertThat(keys(address, token + "&ca-file=" + server.caFile())
                        .loadAll("tls", home())
                        .current()
                        .privateKey()
                        .sign(SignatureScheme.ECDSA, "SHA-256", BYTES))
                .isNotEmpty();
    }

    @Test
    void serviceAccount_logsIn_andAgainWhenItsTokenEnds() throws Exception {
        made("pod", "ecdsa-p256");
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair issuer = generator.generateKeyPair();
        String publicKey = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(issuer.getPublic().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        // the method jwt has the same login as the method kubernetes, and needs no cluster
        server.call("POST", "sys/auth/kubernetes", Map.of("type", "jwt"));
        server.call("POST", "auth/kubernetes/config", Map.of("jwt_validation_pubkeys", List.of(publicKey)));
        server.putPolicy("pod", ALL);
        server.call(
                "POST",
                "auth/kubernetes/role/broker",
                Map.of(
                        "role_type",
                        "jwt",
                        "user_claim",
                        "sub",
                        "bound_audiences",
                        List.of("vault"),
                        "token_policies",
                        List.of("pod"),
                        "token_ttl",
                        "3s"));
        Path jwt = Files.writeString(folder.resolve("jwt"), jwt(issuer, "vault"));
        String query = "kubernetes-role=broker&kubernetes-token-file=" + jwt;

        PrivateKeyOperations key = keys(server.address() + "/transit/pod", query)
                .loadAll("pod", home())
                .current()
                .privateKey();
        Instant later = Instant.now().plusSeconds(7);
        await().until(() -> {
            assertThat(key.sign(SignatureScheme.ECDSA, "SHA-256", BYTES)).isNotEmpty();
            return Instant.now().isAfter(later);
        });

        Files.writeString(jwt, jwt(issuer, "another"));
        assertThatThrownBy(() -> keys(server.address() + "/transit/pod", query).loadAll("pod", home()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("the login by Kubernetes with role 'broker' failed: it answers 400");
    }

    private static String jwt(KeyPair issuer, String audience) throws Exception {
        Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        long now = Instant.now().getEpochSecond();
        String claims = "{\"sub\":\"system:serviceaccount:mq:broker\",\"aud\":\"%s\",\"iat\":%d,\"exp\":%d}"
                .formatted(audience, now, now + 3600);
        String signed = base64.encodeToString("{\"alg\":\"ES256\",\"typ\":\"JWT\"}".getBytes(UTF_8)) + "."
                + base64.encodeToString(claims.getBytes(UTF_8));
        Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initSign(issuer.getPrivate());
        signature.update(signed.getBytes(UTF_8));
        return signed + "." + base64.encodeToString(signature.sign());
    }

    @Test
    void namespace_hasKeysOfItsOwn() throws Exception {
        Identity outside = made("spaced", "ecdsa-p256");
        server.call("POST", "sys/namespaces/team", Map.of());
        server.call("POST", "team/sys/mounts/transit", Map.of("type", "transit"));
        server.call("POST", "team/transit/keys/spaced", Map.of("type", "ecdsa-p256"));
        token(server.token("team/transit/keys/spaced read", "team/transit/sign/spaced update"));
        String query = "namespace=team&token-file=" + folder.resolve("token");

        Identity inside = keys(server.address() + "/transit/spaced", query).requested("spaced", home());

        assertThat(inside.certificate().getPublicKey())
                .isNotEqualTo(outside.certificate().getPublicKey());
        assertThat(inside.privateKey().sign(SignatureScheme.ECDSA, "SHA-256", BYTES))
                .isNotEmpty();
    }
}
