/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.spec.OAEPParameterSpec;
import org.bouncycastle.jcajce.provider.asymmetric.util.EC5Util;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECPoint;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyTransportPadding;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.DataKey;
import org.signetmq.keystore.keys.EcAgreement;
import org.signetmq.keystore.keys.KeyEncryptionKey;
import org.signetmq.keystore.keys.KeyTransport;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.testkit.Openssl;
import org.signetmq.testkit.SoftHsm;
import org.signetmq.testkit.Tier;

/** Keys in the real SoftHSM 2. */
final class TokenKeyTest {
    private static final byte[] TEXT = "a message".getBytes(UTF_8);

    @SuppressWarnings("NullAway.Init") // before all tests
    private static TestToken token;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @BeforeAll
    static void make() throws IOException {
        token = TestToken.make();
    }

    private static TokenKeyStore store(String key) {
        return new TokenKeyStore(token.uri(key), () -> Password.takeOwnershipOf(SoftHsm.PIN.toCharArray()));
    }

    private static byte[] agreed(KeyPair own, PublicKey other) throws Exception {
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH", "SunEC");
        agreement.init(own.getPrivate());
        agreement.doPhase(other, true);
        return agreement.generateSecret();
    }

    @ParameterizedTest
    @CsvSource({"EC:prime256v1, 11", "EC:secp384r1, 12"})
    void ellipticKey_signsAndAgrees_withoutLeavingTheToken(String type, String id) throws Exception {
        PublicKey key = token.generate(type, id, "--usage-sign", "--usage-derive");
        token.certify(key, id, "ec" + id);

        Identity identity = store("").load("ec" + id);

        assertThat(token.hsm.tool("--list-objects", "--type", "privkey", "--id", id))
                .contains("sensitive")
                .contains("never extractable");
        assertThat(identity.certificate().getPublicKey()).isEqualTo(key);
        assertThatThrownBy(() -> SoftwareKey.exported(identity)).isInstanceOf(KeystoreUnusableException.class);
        byte[] signed = identity.privateKey().sign(SignatureScheme.ECDSA, "SHA-512", TEXT);
        assertThat(verifiedByOpenssl(key, signed)).contains("Verified OK");
        assertThatThrownBy(() -> identity.privateKey().sign(SignatureScheme.RSA, "SHA-512", TEXT))
                .hasMessage("private key: its kind is EC, so it cannot sign with RSA");
        KeyPair sender = leadingZero(key);
        assertThat(identity.privateKey().agree(sender.getPublic()))
                .startsWith(0)
                .isEqualTo(agreed(sender, key));
        assertThat(identity.privateKey().agree(TestCertificates.rsa(2048).getPublic()))
                .isNull();
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", "SunEC");
        generator.initialize(521);
        assertThat(identity.privateKey().agree(generator.generateKeyPair().getPublic()))
                .isNull();
        assertThat(identity.privateKey().unwrap(KeyTransportPadding.OAEP_SHA_256, new byte[256]))
                .isNull();
        identity.privateKey().requireUsable();
    }

    /** The sender's key stays in the token, and the recipient finds the same key-encryption key. */
    @Test
    void senderWithAKeyInAToken_agreesWithARecipient() throws Exception {
        PublicKey key = token.generate("EC:prime256v1", "57", "--usage-sign", "--usage-derive");
        token.certify(key, "57", "sender");
        Identity sender = store("").load("sender");
        KeyPair recipient = TestCertificates.ec();
        byte[] sharedInfo = {1, 2, 3};
        CryptoProviders providers = CryptoProviders.standard();

        try (EcAgreement agreement = EcAgreement.of(sender, List.of(recipient.getPublic()), sharedInfo, providers);
                KeyEncryptionKey.KeyWrapCiphers ciphers = new KeyEncryptionKey.KeyWrapCiphers(providers);
                KeyEncryptionKey own = KeyEncryptionKey.derive(
                        agreed(recipient, key), KeyEncryptionKey.KeyDerivation.SHA_256, sharedInfo, ciphers);
                DataKey dataKey = DataKey.generate(providers)) {
            assertThat(agreement.originator()).isEqualTo(key);
            byte[] wrapped = agreement.keys().get(0).wrap(dataKey);
            try (DataKey unwrapped = own.unwrap(wrapped)) {
                assertThat(own.wrap(Objects.requireNonNull(unwrapped))).isEqualTo(wrapped);
            }
        }
    }

    /**
     * Returns a pair whose secret begins with a zero, which some libraries leave out. The secret of the private key i
     * is the i-fold of the other's point, so a search by addition is fast.
     */
    private static KeyPair leadingZero(PublicKey other) throws Exception {
        ECPublicKey key = (ECPublicKey) other;
        ECCurve curve = EC5Util.convertCurve(key.getParams().getCurve());
        ECPoint secret = EC5Util.convertPoint(curve, key.getW());
        ECPoint generator = EC5Util.convertPoint(curve, key.getParams().getGenerator());
        ECPoint step = secret;
        ECPoint own = generator;
        long i = 1;
        while (secret.normalize().getAffineXCoord().getEncoded()[0] != 0) {
            secret = secret.add(step);
            own = own.add(generator);
            i++;
        }
        KeyFactory keys = KeyFactory.getInstance("EC", "SunEC");
        return new KeyPair(
                keys.generatePublic(new ECPublicKeySpec(EC5Util.convertPoint(own), key.getParams())),
                keys.generatePrivate(new ECPrivateKeySpec(BigInteger.valueOf(i), key.getParams())));
    }

    @Tag(Tier.LONG)
    @ParameterizedTest
    @CsvSource({"rsa:2048, 21", "rsa:3072, 22"})
    void rsaKey_signsAndUnwraps_withoutLeavingTheToken(String type, String id) throws Exception {
        PublicKey key = token.generate(type, id, "--usage-sign", "--usage-decrypt");
        token.certify(key, id, "rsa" + id);

        Identity identity = store("object=rsa" + id).load("alice");

        assertThat(identity.name()).isEqualTo("alice");
        byte[] signed = identity.privateKey().sign(SignatureScheme.RSA, "SHA-512", TEXT);
        assertThat(verifiedByOpenssl(key, signed)).contains("Verified OK");
        byte[] pss = identity.privateKey().sign(SignatureScheme.RSA_PSS, "SHA-512", TEXT);
        assertThat(verifiedByOpenssl(key, pss, "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:64"))
                .contains("Verified OK");
        assertThat(identity.privateKey().agree(TestCertificates.ec().getPublic()))
                .isNull();
        unwraps(identity, key);
        identity.privateKey().requireUsable();
    }

    private static void unwraps(Identity identity, PublicKey key) throws Exception {
        KeyTransport transport = new KeyTransport(CryptoProviders.jdk());
        try (DataKey sent = DataKey.generate(CryptoProviders.jdk());
                DataKey received = transport.unwrap(
                        identity.privateKey(), KeyTransportPadding.OAEP_SHA_256, transport.wrap(key, sent))) {
            assertThat(received).isNotNull();
        }
        Cipher pkcs1 = Cipher.getInstance("RSA/ECB/PKCS1Padding");
        pkcs1.init(Cipher.ENCRYPT_MODE, key);
        byte[] wrapped = pkcs1.doFinal(TEXT);
        assertThat(identity.privateKey().unwrap(KeyTransportPadding.PKCS1, wrapped))
                .isEqualTo(TEXT);
        assertThat(identity.privateKey().unwrap(KeyTransportPadding.OAEP_SHA_256, wrapped))
                .isNull();
        Cipher sha1 = Cipher.getInstance("RSA/ECB/OAEPPadding");
        sha1.init(Cipher.ENCRYPT_MODE, key, OAEPParameterSpec.DEFAULT);
        assertThat(identity.privateKey().unwrap(KeyTransportPadding.OAEP_SHA_1, sha1.doFinal(TEXT)))
                .isEqualTo(TEXT);
        for (int length : new int[] {0, 1, wrapped.length - 1, wrapped.length + 1, 10_000}) {
            assertThat(identity.privateKey().unwrap(KeyTransportPadding.OAEP_SHA_256, new byte[length]))
                    .isNull();
        }
        byte[] zero = new byte[wrapped.length];
        assertThat(identity.privateKey().unwrap(KeyTransportPadding.OAEP_SHA_256, zero))
                .isNull();
        byte[] tooGreat = new byte[wrapped.length];
        Arrays.fill(tooGreat, (byte) 0xff);
        assertThat(identity.privateKey().unwrap(KeyTransportPadding.OAEP_SHA_256, tooGreat))
                .isNull();
    }

    @Test
    void key_ofManyThreads_servesAll() throws Exception {
        PublicKey key = token.generate("EC:prime256v1", "31", "--usage-sign", "--usage-derive");
        token.certify(key, "31", "busy");
        Identity identity = store("object=busy").load("busy");
        ExecutorService threads = Executors.newFixedThreadPool(32);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                all.add(threads.submit(() -> {
                    for (int j = 0; j < 20; j++) {
                        byte[] signed = identity.privateKey().sign(SignatureScheme.ECDSA, "SHA-256", TEXT);
                        Signature verifying = Signature.getInstance("SHA256withECDSA");
                        verifying.initVerify(key);
                        verifying.update(TEXT);
                        assertThat(verifying.verify(signed)).isTrue();
                    }
                    return true;
                }));
            }
            for (Future<?> one : all) {
                one.get(3, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Tag(Tier.LONG)
    @Test
    void label_ofTwoNames_isRefusedWithTheirIds() throws Exception {
        PublicKey one = token.generate("EC:prime256v1", "41", "--usage-sign", "--usage-derive");
        PublicKey other = token.generate("EC:prime256v1", "42", "--usage-sign", "--usage-derive");
        token.write(certificate(one, "CN=one"), "41", "twin");
        token.write(certificate(other, "CN=other"), "42", "twin");

        assertThatThrownBy(() -> store("object=twin").load("x"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining(
                        "the private key with label 'twin' is not the only one: 2 keys of different distinguished names"
                                + " are so named; name one")
                .hasMessageContaining("id=%41")
                .hasMessageContaining("id=%42");
        assertThat(store("object=twin;id=%42").load("x").certificate().getPublicKey())
                .isEqualTo(other);
        assertThat(store("id=%41").load("x").certificate().getPublicKey()).isEqualTo(one);
        assertThatThrownBy(() -> store("object=twin;id=%43").load("x"))
                .hasMessageContaining("label 'twin' and id 0x43 is not there");
    }

    /** Of keytool, because pkcs11-tool cannot take a usage away that SoftHSM gives by default. */
    @Tag(Tier.LONG)
    @Test
    void rsaKey_thatMustNotDecrypt_signsAndSaysSo() throws Exception {
        token.hsm.keytool(
                List.of("CKA_DECRYPT = false", "CKA_UNWRAP = false", "CKA_EXTRACTABLE = false"),
                "-genkeypair",
                "-alias",
                "signer",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=signer");
        Identity identity = store("").load("signer");

        byte[] signed = identity.privateKey().sign(SignatureScheme.RSA, "SHA-512", TEXT);
        assertThat(verifiedByOpenssl(identity.certificate().getPublicKey(), signed))
                .contains("Verified OK");
        byte[] wrapped = new byte[256];
        wrapped[100] = 5;
        assertThatThrownBy(() -> identity.privateKey().unwrap(KeyTransportPadding.OAEP_SHA_256, wrapped))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining(
                        "the token refuses this operation for the key, or does not support it (CKR_KEY_FUNCTION_NOT_PERMITTED)");
    }

    @Test
    void ellipticKey_thatMustNotDerive_signsAndSaysSo() throws Exception {
        PublicKey key = token.generate("EC:prime256v1", "52", "--usage-sign");
        token.certify(key, "52", "ec signer");
        Identity identity = store("object=ec%20signer").load("x");

        assertThat(verifiedByOpenssl(key, identity.privateKey().sign(SignatureScheme.ECDSA, "SHA-512", TEXT)))
                .contains("Verified OK");
        assertThatThrownBy(
                        () -> identity.privateKey().agree(TestCertificates.ec().getPublic()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining(
                        "the token refuses this operation for the key, or does not support it (CKR_KEY_FUNCTION_NOT_PERMITTED)");
    }

    @Test
    void key_withoutCertificate_isRefusedWithTheRemedy() throws Exception {
        var unused = token.generate("EC:prime256v1", "61", "--usage-sign");

        assertThatThrownBy(() -> store("object=key%2061").load("x"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("is not there with a certificate of the same id")
                .hasMessageContaining("pkcs11-tool --write-object");
    }

    @Test
    void certificate_withoutKey_isNoIdentity() throws Exception {
        token.write(TestToken.AUTHORITY.certificate(), "62", "lonely");

        assertThatThrownBy(() -> store("object=lonely").load("x"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("the private key with label 'lonely' is not there");
    }

    @Test
    void certificate_ofAnotherKey_isRefused() throws Exception {
        var unused = token.generate("EC:prime256v1", "63", "--usage-sign", "--usage-derive");
        token.certify(TestCertificates.ec().getPublic(), "63", "mixed");

        assertThatThrownBy(() -> store("object=mixed").load("x"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("is not the key of the certificate with its id");
    }

    @Test
    void certificateOfAnotherKind_isRefused() throws Exception {
        var unused = token.generate("EC:prime256v1", "64", "--usage-sign", "--usage-derive");
        token.certify(TestCertificates.rsa(2048).getPublic(), "64", "kinds");

        assertThatThrownBy(() -> store("object=kinds").load("x"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("is not the key of the certificate with its id");
    }

    @Test
    void issuerInTheToken_isPartOfTheChain() throws Exception {
        PublicKey key = token.generate("EC:prime256v1", "65", "--usage-sign", "--usage-derive");
        X509Certificate certificate = token.certify(key, "65", "chained");
        token.write(TestToken.AUTHORITY.certificate(), "66", "issuer");

        assertThat(store("").load("chained").chain()).containsExactly(certificate, TestToken.AUTHORITY.certificate());
    }

    @Test
    void token_thatIsNotThere_isNamed() {
        TokenUri uri = TokenUri.parse("pkcs11:token=nowhere?module-path=" + SoftHsm.MODULE);

        assertThatThrownBy(() -> new TokenKeyStore(uri, TokenKeyTest::noPin).load("x"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage("token 'nowhere': not there; plug it in, or check its label");
    }

    @Test
    void slot_withoutToken_isUnusable() {
        TokenUri uri = TokenUri.parse("pkcs11:slot-id=77?module-path=" + SoftHsm.MODULE);

        assertThatThrownBy(() -> new TokenKeyStore(uri, TokenKeyTest::noPin).load("x"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("slot 77: cannot be used (CKR_SLOT_ID_INVALID)");
    }

    @Test
    void module_thatIsNotThere_isNamed() {
        TokenUri uri = TokenUri.parse("pkcs11:token=a?module-path=/absent/p11.so");

        assertThatThrownBy(() -> new TokenKeyStore(uri, TokenKeyTest::noPin).load("x"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageStartingWith("key-store: module /absent/p11.so: no such file");
    }

    @Test
    void module_thatIsNoLibrary_isRefusedAndLoadedInNoProcessOfMessages() throws Exception {
        Path file = Files.writeString(folder.resolve("p11.so"), "no library");
        TokenUri uri = TokenUri.parse("pkcs11:token=a?module-path=" + file);

        assertThatThrownBy(() -> new TokenKeyStore(uri, TokenKeyTest::noPin).load("x"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("it does not list its tokens");
    }

    private static X509Certificate certificate(PublicKey key, String dn) {
        KeyPair pair = new KeyPair(key, TestCertificates.ec().getPrivate());
        return CertificateForge.of(dn, pair).by(TestToken.AUTHORITY).make().certificate();
    }

    private static Password noPin() {
        throw new IllegalStateException("the PIN is not needed");
    }

    private String verifiedByOpenssl(PublicKey key, byte[] signed, String... options) throws IOException {
        String base64 = Base64.getMimeEncoder().encodeToString(key.getEncoded());
        Openssl openssl = new Openssl(folder);
        openssl.write(
                "key.pem", ("-----BEGIN PUBLIC KEY-----\n" + base64 + "\n-----END PUBLIC KEY-----\n").getBytes(UTF_8));
        openssl.write("signature", signed);
        openssl.write("text", TEXT);
        List<String> command = new ArrayList<>(List.of("dgst", "-sha512", "-verify", "key.pem"));
        command.addAll(List.of("-signature", "signature"));
        command.addAll(List.of(options));
        command.add("text");
        return openssl.run(command.toArray(String[]::new));
    }
}
