/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.SignatureScheme;
import org.signetmq.keystore.enrolment.PendingRequests;
import org.signetmq.keystore.enrolment.SigningRequest;
import org.signetmq.keystore.internal.x509.CertificateProviders;
import org.signetmq.keystore.internal.x509.CertificateRules;
import org.signetmq.keystore.internal.x509.PemText;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.KeyEncapsulation;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.keystore.keys.VerifyingKey;

/** Identities that sign by ML-DSA and receive by ML-KEM. */
class PostQuantumIdentityTest {
    private static final CryptoProviders PROVIDERS = CryptoProviders.standard();
    private static final byte[] MESSAGE = "message".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private Home home() {
        return new Home(folder);
    }

    private static Password password() {
        return Password.takeOwnershipOf("password".toCharArray());
    }

    private static IdentityRenewal renewal(String name, NextKey key, @Nullable String issuer) {
        return new IdentityRenewal(name, key, issuer, IdentityRenewal.DEFAULT_VALIDITY);
    }

    private Identity made(String name, KeyAlgorithm algorithm, @Nullable String issuer) {
        IdentityStore store = home().identityStore();
        Identity signing =
                store.signingOnly().create(new IdentityRequest(name, "CN=" + name, algorithm, issuer), password());
        store.renewReceiving(renewal(name, new NextKey.New(null), issuer), password());
        return signing;
    }

    private void requireTrusted(X509Certificate certificate, CertificateUse use) {
        home().certificateTrust().verify(certificate, List.of(), use, Instant.now());
    }

    @ParameterizedTest
    @CsvSource({"ML_DSA_65, ML_KEM_768", "ML_DSA_87, ML_KEM_1024"})
    void identity_signsAndReceives_afterItIsLoadedAgain(KeyAlgorithm algorithm, KeyAlgorithm receiving) {
        made("bob.pq", algorithm, null);

        IdentityStore.IdentityKeys keys = home().identityStore().loadAll("bob.pq", password());
        assertThat(keys.findings()).isEmpty();
        X509Certificate signing = keys.current().certificate();
        SignatureScheme scheme = SignatureScheme.of(signing.getPublicKey()).orElseThrow();
        byte[] signature = keys.current().privateKey().sign(scheme, "SHA-512", MESSAGE);
        assertThat(VerifyingKey.of(signing.getPublicKey(), PROVIDERS).verify(scheme, "SHA-512", MESSAGE, signature))
                .isTrue();
        assertThat(KeyAlgorithm.label(signing.getPublicKey())).isEqualTo(algorithm.label());
        assertThat(keys.former()).hasSize(1);
        Identity receiver = keys.former().get(0);
        assertThat(KeyAlgorithm.label(receiver.certificate().getPublicKey())).isEqualTo(receiving.label());
        assertThat(receiver.certificate().getKeyUsage())
                .containsExactly(false, false, true, false, false, false, false, false, false);
        assertThat(signing.getKeyUsage()).containsExactly(true, false, false, false, false, false, false, false, false);
        KeyEncapsulation sent = KeyEncapsulation.to(receiver.certificate().getPublicKey(), PROVIDERS);
        assertThat(receiver.privateKey().decapsulate(sent.ciphertext())).isEqualTo(sent.secret());
        assertThat(home().recipientDirectory().find("bob.pq").orElseThrow().certificate())
                .isEqualTo(receiver.certificate());
        assertThat(CertificateProviders.isSignedBy(receiver.certificate(), signing.getPublicKey()))
                .isTrue();
        requireTrusted(signing, CertificateUse.SIGNING);
        requireTrusted(receiver.certificate(), CertificateUse.RECEIVING);
    }

    @ParameterizedTest
    @CsvSource({"ML_DSA_65, ML_DSA_87", "EC_P384, ML_DSA_65", "ML_DSA_87, EC_P256"})
    void issuedIdentity_isTrustedByItsPath(KeyAlgorithm root, KeyAlgorithm leaf) {
        home().identityStore().createAuthority(new IdentityRequest("root", "CN=root", root, null), password());
        Identity made = made("bob", leaf, "root");

        requireTrusted(made.certificate(), CertificateUse.SIGNING);
        requireTrusted(home().recipientDirectory().find("bob").orElseThrow().certificate(), CertificateUse.RECEIVING);
        assertThatThrownBy(() -> requireTrusted(tampered(made.certificate()), CertificateUse.SIGNING))
                .isInstanceOf(CertificateRejectedException.class);
    }

    /** Returns the certificate with another signature. */
    private static X509Certificate tampered(X509Certificate certificate) throws Exception {
        byte[] encoded = certificate.getEncoded();
        encoded[encoded.length - 40] ^= 1;
        return CertificateProviders.certificate(encoded);
    }

    @Test
    void renewedIdentity_keepsItsReceivingKeyFirst() {
        made("bob.pq", KeyAlgorithm.ML_DSA_65, null);
        IdentityStore store = home().identityStore();
        X509Certificate receiving =
                home().recipientDirectory().find("bob.pq").orElseThrow().certificate();

        Identity renewed = store.renew(renewal("bob.pq", new NextKey.New(null), null), password());
        assertThat(KeyAlgorithm.label(renewed.certificate().getPublicKey())).isEqualTo("ml-dsa-65");
        assertThat(home().recipientDirectory().find("bob.pq").orElseThrow().certificate())
                .isEqualTo(receiving);
        Identity next = store.renewReceiving(renewal("bob.pq", new NextKey.New(null), null), password());
        assertThat(home().recipientDirectory().find("bob.pq").orElseThrow().certificate())
                .isEqualTo(next.certificate());
        assertThat(store.loadAll("bob.pq", password()).former()).hasSize(3);
    }

    @Test
    void classicalIdentity_getsAReceivingKeyOfMlKem() {
        IdentityStore store = home().identityStore();
        store.create(new IdentityRequest("bob", "CN=bob", KeyAlgorithm.EC_P256, null), password());

        Identity receiving =
                store.renewReceiving(renewal("bob", new NextKey.New(KeyAlgorithm.ML_KEM_768), null), password());

        requireTrusted(receiving.certificate(), CertificateUse.RECEIVING);
        assertThat(CertificateRules.isFor(receiving.certificate(), CertificateUse.SIGNING))
                .isFalse();
        assertThat(store.load("bob", password()).certificate().getPublicKey().getAlgorithm())
                .isEqualTo("EC");
    }

    @Test
    void receivingKeyAlone_refused() {
        IdentityStore store = home().identityStore();

        assertThatThrownBy(() ->
                        store.create(new IdentityRequest("bob", "CN=bob", KeyAlgorithm.ML_KEM_768, null), password()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("cannot sign");
        assertThatThrownBy(
                        () -> new PendingRequests(home()).make("bob", "CN=bob", KeyAlgorithm.ML_KEM_1024, password()))
                .hasMessageContaining("cannot sign");
        made("alice", KeyAlgorithm.ML_DSA_65, null);
        assertThatThrownBy(
                        () -> store.renew(renewal("alice", new NextKey.New(KeyAlgorithm.ML_KEM_768), null), password()))
                .hasMessageContaining("cannot sign");
        assertThatThrownBy(() -> store.renewReceiving(
                        renewal("alice", new NextKey.New(KeyAlgorithm.ML_DSA_65), null), password()))
                .hasMessageContaining("cannot receive");
    }

    @Test
    void request_provesTheKey_andNoOtherRequest() throws Exception {
        SigningRequest made = new PendingRequests(home()).make("bob", "CN=bob", KeyAlgorithm.ML_DSA_87, password());

        byte[] pem = made.pem().getBytes(StandardCharsets.US_ASCII);
        assertThat(KeyAlgorithm.label(SigningRequest.parse(pem, "request").publicKey()))
                .isEqualTo("ml-dsa-87");
        byte[] der = PemText.blocks(pem, "request", 1).get(0).content();
        der[der.length - 9] ^= 1;
        assertThatThrownBy(() -> SigningRequest.parse(der, "request")).hasMessageContaining("signature is wrong");
    }

    @Test
    void exportedKey_isASeed() {
        Identity made = made("bob", KeyAlgorithm.ML_DSA_65, null);

        assertThat(SoftwareKey.exported(made).getEncoded()).hasSize(54); // RFC 9881 recommends it
    }
}
