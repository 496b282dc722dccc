/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.keystore.home.HomeTest.assertUnusable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.keystore.trust.CertificateTrust;

final class IdentityStoreTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private Home home = new Home(Path.of("unset"));
    private IdentityStore store = home.identityStore();

    @BeforeEach
    void useFolder() {
        home = new Home(folder.resolve("home"));
        store = home.identityStore();
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.keystore.TestedAlgorithms#all")
    void created_isLoadedWithSameKeyAndChain(KeyAlgorithm algorithm) {
        Identity created = create("alice", algorithm, null);

        Identity loaded = store.load("alice", password());

        assertThat(SoftwareKey.exported(loaded).getEncoded())
                .isEqualTo(SoftwareKey.exported(created).getEncoded());
        assertThat(loaded.chain()).isEqualTo(created.chain());
        assertThat(loaded.keyIdentifier()).isEqualTo(created.keyIdentifier());
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.keystore.TestedAlgorithms#all")
    void created_isTrustedAndARecipient(KeyAlgorithm algorithm) {
        Identity created = create("alice", algorithm, null);

        CertificateTrust trust = home.certificateTrust();

        trust.check(created.certificate(), List.of(), CertificateUse.SIGNING, Instant.now());
        assertThat(home.recipientDirectory().find("alice")).contains(new Recipient("alice", created.certificate()));
    }

    @ParameterizedTest
    @MethodSource("org.signetmq.keystore.TestedAlgorithms#all")
    void issued_isTrustedByItsIssuerAlone(KeyAlgorithm algorithm) {
        createAuthority("ca", algorithm);

        Identity issued = create("bob", KeyAlgorithm.EC_P256, "ca");

        assertThat(issued.chain()).hasSize(2);
        assertThat(home.trust().resolve("bob.pem")).doesNotExist();
        home.certificateTrust().check(issued.certificate(), List.of(), CertificateUse.RECEIVING, Instant.now());
    }

    @Test
    void selfSigned_signsAndReceivesButIssuesNothing() {
        var certificate = create("alice", KeyAlgorithm.EC_P256, null).certificate();

        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
        assertThat(certificate.getKeyUsage())
                .containsExactly(true, false, false, false, true, false, false, false, false);
        assertThat(certificate.getSerialNumber().signum()).isPositive();
        assertThat(certificate.getSerialNumber().toByteArray()).hasSize(16);
    }

    @Test
    void authority_issuesAndDoesNothingElse() {
        var certificate = createAuthority("ca", KeyAlgorithm.EC_P256).certificate();

        assertThat(certificate.getBasicConstraints()).isZero();
        assertThat(certificate.getKeyUsage())
                .containsExactly(false, false, false, false, false, true, true, false, false);
        assertThat(home.recipients()).doesNotExist();
        assertThat(home.trust().resolve("ca.pem")).exists();
        assertThatThrownBy(() ->
                        home.certificateTrust().check(certificate, List.of(), CertificateUse.SIGNING, Instant.now()))
                .isInstanceOf(CertificateRejectedException.class);
    }

    @Test
    void authorityWithAnIssuer_isRejected() {
        createAuthority("ca", KeyAlgorithm.EC_P256);

        assertUnusable(() -> store.createAuthority(request("sub", KeyAlgorithm.EC_P256, "ca"), password()));
        assertThat(store.names()).containsExactly("ca");
    }

    @Test
    void selfSignedIssuer_isRejectedWithTheWayToMakeOne() {
        create("mallory", KeyAlgorithm.EC_P256, null);

        assertUnusable(
                () -> create("fake", KeyAlgorithm.EC_P256, "mallory"), "signet identity create NAME --dn DN --ca");
        assertThat(store.names()).containsExactly("mallory");
    }

    @Test
    void issuerThatAnEarlierVersionMade_isRejected() throws Exception {
        var old = CertificateForge.oldIdentity("CN=old");
        Identity identity = new Identity(
                "old",
                new SoftwareKey(old.pair().getPrivate(), CryptoProviders.standard()),
                List.of(old.certificate()));
        new IdentityFiles(home, CryptoProviders.standard()).write(identity, password());

        assertUnusable(() -> create("fake", KeyAlgorithm.EC_P256, "old"), "--ca");
    }

    @Test
    void issued_endsNoLaterThanItsIssuer() {
        Instant start = Instant.now().minus(Duration.ofDays(800));
        Identity issuer = new IdentityStore(home, CryptoProviders.standard(), Clock.fixed(start, ZoneOffset.UTC))
                .createAuthority(request("ca", KeyAlgorithm.EC_P256, null), password());

        Identity issued = create("bob", KeyAlgorithm.EC_P256, "ca");

        assertThat(issued.certificate().getNotAfter())
                .isEqualTo(issuer.certificate().getNotAfter());
    }

    @Test
    void expiredIssuer_isRejected() {
        Instant start = Instant.now().minus(Duration.ofDays(900));
        new IdentityStore(home, CryptoProviders.standard(), Clock.fixed(start, ZoneOffset.UTC))
                .createAuthority(request("ca", KeyAlgorithm.EC_P256, null), password());

        assertUnusable(() -> create("bob", KeyAlgorithm.EC_P256, "ca"), "expired on");
        assertThat(store.names()).containsExactly("ca");
    }

    @Test
    void leafIssuer_isRejected() {
        createAuthority("ca", KeyAlgorithm.EC_P256);
        create("bob", KeyAlgorithm.EC_P256, "ca");

        assertUnusable(() -> create("carol", KeyAlgorithm.EC_P256, "bob"), "--ca");
    }

    @Test
    void takenName_isRejectedAndNothingChanges() throws IOException {
        create("alice", KeyAlgorithm.EC_P256, null);
        byte[] before = Files.readAllBytes(home.identities().resolve("alice.p12"));

        assertUnusable(() -> create("alice", KeyAlgorithm.EC_P256, null), "taken");

        assertThat(home.identities().resolve("alice.p12")).hasBinaryContent(before);
    }

    @Test
    void nameTakenByRecipient_isRejectedAndNothingWritten() throws IOException {
        Files.createDirectories(home.recipients());
        Files.writeString(home.recipients().resolve("alice.pem"), "somebody else's");

        assertUnusable(() -> create("alice", KeyAlgorithm.EC_P256, null));

        assertThat(home.identities()).doesNotExist();
        assertThat(home.recipients().resolve("alice.pem")).hasContent("somebody else's");
    }

    @Test
    void failedWrite_leavesNothingBehind() throws IOException {
        Files.createDirectories(home.root());
        Files.writeString(home.identities(), "a file where the folder should be");

        assertUnusable(() -> create("alice", KeyAlgorithm.EC_P256, null), "cannot be written");

        assertThat(filesBelow(home.root())).containsExactly(home.identities());
    }

    @Test
    void files_areForTheOwnerAlone() throws IOException {
        create("alice", KeyAlgorithm.EC_P256, null);

        assertThat(permissions(home.identities().resolve("alice.p12"))).isEqualTo("rw-------");
        assertThat(permissions(home.identities())).isEqualTo("rwx------");
        assertThat(filesBelow(home.root())).hasSize(3);
    }

    @Test
    void fileOpenToOthers_isRejectedWithAHint() throws IOException {
        create("alice", KeyAlgorithm.EC_P256, null);
        Files.setPosixFilePermissions(
                home.identities().resolve("alice.p12"), PosixFilePermissions.fromString("rw-r--r--"));

        assertUnusable(() -> store.load("alice", password()), "chmod 600");
    }

    @Test
    void wrongPassword_isSaid() {
        create("alice", KeyAlgorithm.EC_P256, null);

        assertThatThrownBy(() -> store.load("alice", Password.takeOwnershipOf("wrong".toCharArray())))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageEndingWith("wrong password")
                .hasMessageNotContaining("secret");
    }

    @Test
    void wrongPasswordOfAFile_namesThatFile() throws IOException {
        create("alice", KeyAlgorithm.EC_P256, null);
        Path file = Files.writeString(home.root().resolve("password"), "wrong\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        try (Password wrong = Password.fromFile(file)) {
            assertThatThrownBy(() -> store.load("alice", wrong))
                    .hasMessage(home.identities().resolve("alice.p12") + ": wrong password, the first line of " + file);
        }
    }

    @Test
    void missing_namesTheNearest() {
        create("alice", KeyAlgorithm.EC_P256, null);
        create("bob", KeyAlgorithm.EC_P256, null);

        assertUnusable(() -> store.load("alcie", password()), "nearest: 'alice'");
        assertThat(store.names()).containsExactly("alice", "bob");
    }

    @Test
    void damagedFile_isSaid() throws IOException {
        create("alice", KeyAlgorithm.EC_P256, null);
        Path file = home.identities().resolve("alice.p12");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));

        assertUnusable(() -> store.load("alice", password()), "damaged");
    }

    @Test
    void keyOfAnotherCertificate_isRejected() throws Exception {
        Identity alice = create("alice", KeyAlgorithm.EC_P256, null);
        Identity bob = create("bob", KeyAlgorithm.EC_P256, null);
        Identity mixed = new Identity("mixed", alice.privateKey(), bob.chain());
        Path file = home.identities().resolve("mixed.p12");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, KeyStoreFile.bytes(mixed, password()));

        assertUnusable(() -> store.load("mixed", password()), "not the one of its certificate");
    }

    @Test
    void fileWithTwoKeys_givesTheOneOfTheName_andNeverAnyOne() throws Exception {
        Identity alice = create("alice", KeyAlgorithm.EC_P256, null);
        Identity bob = create("bob", KeyAlgorithm.EC_P256, null);
        char[] secret = password().characters();
        KeyStore two = KeyStore.getInstance("PKCS12");
        two.load(null, null);
        for (Identity each : List.of(alice, bob)) {
            two.setKeyEntry(
                    each.name(),
                    SoftwareKey.exported(each),
                    secret,
                    each.chain().toArray(Certificate[]::new));
        }
        for (String name : List.of("bob", "carol")) {
            try (OutputStream out = Files.newOutputStream(home.identities().resolve(name + ".p12"))) {
                two.store(out, secret);
            }
            Files.setPosixFilePermissions(
                    home.identities().resolve(name + ".p12"), PosixFilePermissions.fromString("rw-------"));
        }

        assertThat(store.load("bob", password()).certificate()).isEqualTo(bob.certificate());
        assertUnusable(() -> store.load("carol", password()), "holds 2 private keys, and none has the name 'carol'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".hidden", "a/b", "../x", "a b", "é", "a=b"})
    void badName_isRejected(String name) {
        assertThatThrownBy(() -> create(name, KeyAlgorithm.EC_P256, null))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageStartingWith("name: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "alice", "CN=", "CN=a,,O=b", "XX=alice", "CN=a\\"})
    void badDn_isRejected(String dn) {
        var request = new IdentityRequest("alice", dn, KeyAlgorithm.EC_P256, null);

        assertThatThrownBy(() -> store.create(request, password()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageStartingWith("dn: ");
        assertThat(home.root()).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gehéim", "a\tb"})
    void unportablePassword_isRejected(String password) {
        var request = request("alice", KeyAlgorithm.EC_P256, null);

        assertThatThrownBy(() -> store.create(request, Password.takeOwnershipOf(password.toCharArray())))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageStartingWith("password: must");
        assertThat(home.root()).doesNotExist();
    }

    @Test
    void dn_isWrittenInRfc4514Order() {
        var request = new IdentityRequest("alice", "CN=alice,O=Example,C=DE", KeyAlgorithm.EC_P256, null);

        Identity created = store.create(request, password());

        assertThat(created.certificate().getSubjectX500Principal().getName()).isEqualTo("CN=alice,O=Example,C=DE");
    }

    @Test
    void sameNameAtOnce_oneWins() throws Exception {
        List<Callable<Boolean>> attempts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            attempts.add(() -> {
                try {
                    create("alice", KeyAlgorithm.EC_P256, null);
                    return true;
                } catch (KeystoreUnusableException taken) {
                    return false;
                }
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(8);

        int won = 0;
        for (Future<Boolean> attempt : threads.invokeAll(attempts)) {
            won += attempt.get() ? 1 : 0;
        }
        threads.shutdown();

        assertThat(won).isEqualTo(1);
        Identity kept = store.load("alice", password());
        assertThat(home.recipientDirectory().find("alice")).contains(new Recipient("alice", kept.certificate()));
        assertThat(filesBelow(home.root())).hasSize(3);
    }

    private Identity create(String name, KeyAlgorithm algorithm, @Nullable String issuer) {
        return store.create(request(name, algorithm, issuer), password());
    }

    private Identity createAuthority(String name, KeyAlgorithm algorithm) {
        return store.createAuthority(request(name, algorithm, null), password());
    }

    private static IdentityRequest request(String name, KeyAlgorithm algorithm, @Nullable String issuer) {
        return new IdentityRequest(name, "CN=" + name + ",O=Example", algorithm, issuer);
    }

    private static Password password() {
        return Password.takeOwnershipOf("secret".toCharArray());
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static List<Path> filesBelow(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
