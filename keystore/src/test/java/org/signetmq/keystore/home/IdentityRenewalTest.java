/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.keystore.home.HomeTest.assertUnusable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.SignerMatch;
import org.signetmq.keystore.trust.TrustedCertificate;

/** Renews identities, stops in the middle, and retires former keys. */
final class IdentityRenewalTest {
    private static final NextKey NEW = new NextKey.New(null);

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

    @Test
    void newKey_isCurrent_andTheOldOneFormer() throws IOException {
        Identity old = create("alice", null);

        Identity made = renew("alice", NEW);

        IdentityKeys keys = store.loadAll("alice", password());
        assertThat(keys.findings()).isEmpty();
        assertThat(ids(keys)).containsExactly(id(made), id(old));
        assertThat(id(store.load("alice", password()))).isEqualTo(id(made));
        assertThat(made.certificate().getSubjectX500Principal())
                .isEqualTo(old.certificate().getSubjectX500Principal());
        assertThat(made.certificate().getPublicKey().getAlgorithm()).isEqualTo("EC");
        assertThat(recipient("alice")).isEqualTo(made.certificate());
        assertBothAreAlice(made, old);
        assertThat(store.names()).containsExactly("alice");
        assertThat(store.formerKeys("alice")).containsExactly(id(old).substring(0, 16));
        assertThat(files())
                .containsExactlyInAnyOrder(
                        "identities/.lock",
                        "identities/alice.p12",
                        "identities/former/alice." + id(old).substring(0, 16) + ".p12",
                        "recipients/alice.pem",
                        "trust/alice.pem");
        assertThat(permissions(home.formerKeys())).isEqualTo("rwx------");
        assertThat(permissions(formerFile("alice", old))).isEqualTo("rw-------");
        assertThat(permissions(home.identities().resolve("alice.p12"))).isEqualTo("rw-------");
        assertThat(permissions(home.recipients().resolve("alice.pem"))).isEqualTo("rw-r--r--");
    }

    /** All sign as alice, and no finding is made of her keys. */
    private void assertBothAreAlice(Identity... keys) {
        assertSignsAsAlice(keys);
        assertThat(TrustFindings.of(home, List.of("alice", "CN=alice,O=Example")))
                .isEmpty();
    }

    /** By her file and by her name. */
    private void assertSignsAsAlice(Identity... keys) {
        var trust = home.certificateTrust();
        SignerMatch match = new SignerMatch(home.recipientDirectory(), trust);
        for (Identity key : keys) {
            var signer = trust.verify(key.certificate(), List.of(), CertificateUse.SIGNING, Instant.now());
            assertThat(match.matches(signer, "alice")).isTrue();
            assertThat(match.matches(signer, "O=Example, CN=alice")).isTrue();
            assertThat(match.matches(signer, "bob")).isFalse();
            assertThat(signer.shownName()).isEqualTo("CN=alice,O=Example");
            assertThat(home.recipientDirectory().find(key.keyIdentifier())).hasSize(1);
        }
    }

    @Test
    void filesInAnotherHome_vouchForBothKeys() throws IOException {
        Identity old = create("alice", null);
        Identity made = renew("alice", NEW);
        Home other = new Home(folder.resolve("other"));
        Files.createDirectories(other.root());
        Files.move(home.recipients(), other.recipients());
        Files.move(home.trust(), other.trust());
        home = other;

        assertBothAreAlice(made, old);
    }

    @Test
    void renewedTwice_opensWithAllThree() {
        Identity first = create("alice", null);
        Identity second = renew("alice", new NextKey.New(KeyAlgorithm.EC_P384));
        Identity third = renew("alice", new NextKey.New(KeyAlgorithm.RSA_2048));

        IdentityKeys keys = store.loadAll("alice", password());

        assertThat(ids(keys)).containsExactlyInAnyOrder(id(third), id(second), id(first));
        assertThat(id(keys.current())).isEqualTo(id(third));
        assertBothAreAlice(third, second, first);
    }

    @Test
    void sameKey_getsNewDatesAndNoFormerKey() {
        Identity old = create("alice", null);

        Identity made =
                store.renew(new IdentityRenewal("alice", new NextKey.Same(), null, Duration.ofDays(1000)), password());

        assertThat(id(made)).isEqualTo(id(old));
        assertThat(made.certificate().getNotAfter()).isAfter(old.certificate().getNotAfter());
        assertThat(store.loadAll("alice", password()).former()).isEmpty();
        assertThat(home.formerKeys()).doesNotExist();
        assertThat(recipient("alice")).isEqualTo(made.certificate());
        home.certificateTrust().check(old.certificate(), List.of(), CertificateUse.SIGNING, Instant.now());
        home.certificateTrust().check(made.certificate(), List.of(), CertificateUse.SIGNING, Instant.now());
    }

    @Test
    void issued_isIssuedAgainByItsIssuer_alsoAfterThatWasRenewed() {
        Identity ca = authority("ca");
        Identity old = create("alice", "ca");
        Identity newCa = renew("ca", NEW);

        Identity made = renew("alice", NEW);

        assertThat(made.chain()).containsExactly(made.certificate(), newCa.certificate());
        assertThat(home.trust().resolve("alice.pem")).doesNotExist();
        assertThat(id(newCa)).isNotEqualTo(id(ca));
        assertThat(newCa.certificate().getBasicConstraints()).isZero();
        assertBothAreAlice(made, old);
        assertThat(home.certificateTrust().trusted()).hasSize(2);
    }

    @Test
    void renewedSigner_hasItsNameAtOnce() {
        authority("root");
        Identity old = create("alice", "root");
        HomeReader trust = new HomeReader(home, () -> 0); // no second goes by
        SignerMatch match = new SignerMatch(trust, trust);
        assertThat(shownName(trust, old)).isEqualTo("CN=alice,O=Example");
        assertThat(match.matches(verified(trust, old), "alice")).isTrue();

        Identity made = renew("alice", NEW);

        assertThat(match.matches(verified(trust, made), "alice")).isTrue();
        assertThat(match.matches(verified(trust, made), "CN=alice,O=Example")).isTrue();
        assertThat(match.matches(verified(trust, made), "root")).isFalse();
        assertThat(shownName(trust, made)).isEqualTo("CN=alice,O=Example");
        assertThat(shownName(trust, old)).isEqualTo("CN=alice,O=Example");
    }

    private static String shownName(HomeReader trust, Identity signer) {
        return verified(trust, signer).shownName();
    }

    private static TrustedCertificate verified(HomeReader trust, Identity signer) {
        return trust.verify(signer.certificate(), List.of(), CertificateUse.SIGNING, Instant.now());
    }

    @Test
    void issuer_canBeAnother() {
        Identity old = create("alice", null);
        authority("ca");

        Identity made =
                store.renew(new IdentityRenewal("alice", NEW, "ca", IdentityRenewal.DEFAULT_VALIDITY), password());

        assertThat(made.chain()).hasSize(2);
        assertBothAreAlice(made, old);
    }

    @Test
    void issuerOfAnotherHome_isAsked() throws IOException {
        authority("ca");
        create("alice", "ca");
        Files.delete(home.identities().resolve("ca.p12"));

        assertUnusable(() -> renew("alice", NEW), "--issuer NAME");
    }

    @Test
    void unknownName_isRejected() {
        assertThatThrownBy(() -> renew("alice", NEW)).hasMessageContaining("identity 'alice': not in");
        create("bob", null);
        assertThatThrownBy(() -> renew("alice", NEW)).hasMessageContaining("(nearest: 'bob')");
        assertThatThrownBy(() -> renew("../bob", NEW)).hasMessageStartingWith("name: ");
    }

    @Test
    void rehearsal_writesNothing() throws IOException {
        Identity old = create("alice", null);
        List<String> before = files();

        Identity made =
                store.rehearse(new IdentityRenewal("alice", NEW, null, IdentityRenewal.DEFAULT_VALIDITY), password());

        assertThat(id(made)).isNotEqualTo(id(old));
        assertThat(files()).isEqualTo(before);
        assertThat(recipient("alice")).isEqualTo(old.certificate());
    }

    /** The sixth change is the last one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void renewalThatStops_leavesTheOldOrTheNewIdentity(int change) throws IOException {
        Identity old = create("alice", null);
        AtomicInteger changes = new AtomicInteger();
        IdentityStore stopping = new IdentityStore(home, CryptoProviders.standard(), Clock.systemUTC(), () -> {
            if (changes.incrementAndGet() == change) {
                throw new UncheckedIOException(new IOException("No space left on device"));
            }
        });
        IdentityRenewal renewal = new IdentityRenewal("alice", NEW, null, IdentityRenewal.DEFAULT_VALIDITY);

        if (change == 7) {
            stopping.renew(renewal, password());
        } else {
            assertThatThrownBy(() -> stopping.renew(renewal, password())).isInstanceOf(UncheckedIOException.class);
        }

        assertThat(changes).hasValue(Math.min(change, 6));
        IdentityKeys keys = store.loadAll("alice", password());
        assertThat(keys.findings()).isEmpty();
        assertThat(ids(keys)).contains(id(old)).doesNotHaveDuplicates();
        assertThat(ids(keys))
                .as("messages are encrypted for a key that the home has")
                .contains(idOf(recipient("alice")));
        home.certificateTrust().check(recipient("alice"), List.of(), CertificateUse.RECEIVING, Instant.now());
        assertSignsAsAlice(old);
        assertThat(files()).noneMatch(file -> file.endsWith(".new"));

        Identity next = renew("alice", NEW);

        IdentityKeys after = store.loadAll("alice", password());
        assertThat(id(after.current())).isEqualTo(id(next));
        assertThat(ids(after)).containsAll(ids(keys));
        assertThat(recipient("alice")).isEqualTo(next.certificate());
    }

    @Test
    void renewalThatCannotWrite_changesNothing() throws IOException {
        Identity old = create("alice", null);
        Files.writeString(home.formerKeys(), "a file where the folder should be");
        byte[] before = Files.readAllBytes(home.recipients().resolve("alice.pem"));

        assertUnusable(() -> renew("alice", NEW), "cannot be written");

        assertThat(id(store.load("alice", password()))).isEqualTo(id(old));
        assertThat(home.recipients().resolve("alice.pem")).hasBinaryContent(before);
    }

    @Test
    void recipientEntryOfAnother_isNotMixedWithTheOwn() throws IOException {
        Identity alice = create("alice", null);
        create("bob", null);
        Files.writeString(
                home.recipients().resolve("alice.pem"),
                Files.readString(home.recipients().resolve("bob.pem")));

        assertUnusable(() -> renew("alice", NEW), "not one of identity 'alice'");
        assertThat(id(store.load("alice", password()))).isEqualTo(id(alice));
    }

    @Test
    void fileOfTheSameNameWithAnotherExtension_isToldApart() throws IOException {
        create("alice", null);
        Files.move(home.recipients().resolve("alice.pem"), home.recipients().resolve("alice.crt"));

        assertThatThrownBy(() -> renew("alice", NEW)).hasMessageContaining("rename it to alice.pem");
    }

    @Test
    void preparedKey_opensAndVerifies_andBecomesCurrentLater() {
        Identity old = create("alice", null);

        Identity made =
                store.prepare(new IdentityRenewal("alice", NEW, null, IdentityRenewal.DEFAULT_VALIDITY), password());

        assertThat(ids(store.loadAll("alice", password()))).containsExactly(id(old), id(made));
        assertThat(recipient("alice")).isEqualTo(old.certificate());
        assertBothAreAlice(old, made);

        Identity used = renew("alice", new NextKey.Held(id(made).substring(0, 16)));

        assertThat(used.certificate()).isEqualTo(made.certificate());
        assertThat(ids(store.loadAll("alice", password()))).containsExactly(id(made), id(old));
        assertThat(recipient("alice")).isEqualTo(made.certificate());
        assertBothAreAlice(old, made);
        assertThatThrownBy(() -> renew("alice", new NextKey.Held("0123456789abcdef")))
                .hasMessageContaining("has no former key");
    }

    @Test
    void retiredKey_stays_encrypted_andIsUsedNoMore() throws IOException {
        Identity old = create("alice", null);
        Identity made = renew("alice", NEW);
        byte[] keyStore = Files.readAllBytes(formerFile("alice", old));

        Path retired = store.retire("alice", id(old).toUpperCase(Locale.ROOT));

        assertThat(retired)
                .isEqualTo(home.retiredKeys().resolve("alice." + id(old).substring(0, 16) + ".p12"))
                .hasBinaryContent(keyStore);
        assertThat(permissions(retired)).isEqualTo("rw-------");
        assertThat(ids(store.loadAll("alice", password()))).containsExactly(id(made));
        assertThat(home.recipientDirectory().former()).isEmpty();
        assertThat(home.certificateTrust().trusted()).hasSize(1);
        assertThatThrownBy(() -> store.retire("alice", id(old))).hasMessageContaining("has no former key");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void retirementThatStops_canBeRepeated(int change) throws IOException {
        Identity old = create("alice", null);
        renew("alice", NEW);
        AtomicInteger changes = new AtomicInteger();
        IdentityStore stopping = new IdentityStore(home, CryptoProviders.standard(), Clock.systemUTC(), () -> {
            if (changes.incrementAndGet() == change) {
                throw new UncheckedIOException(new IOException("No space left on device"));
            }
        });

        assertThatThrownBy(() -> stopping.retire("alice", id(old))).isInstanceOf(UncheckedIOException.class);

        assertThat(ids(store.loadAll("alice", password()))).contains(id(old));
        assertThat(store.retire("alice", id(old))).exists();
        assertThat(ids(store.loadAll("alice", password()))).doesNotContain(id(old));
        assertThat(home.recipientDirectory().former()).isEmpty();
    }

    @Test
    void currentKey_cannotBeRetired() {
        Identity made = create("alice", null);

        assertUnusable(() -> store.retire("alice", id(made)), "is its current key");
        assertThat(id(store.load("alice", password()))).isEqualTo(id(made));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "alice", "0123456789abcde", "../../0123456789abcdef", "0123456789abcdeg"})
    void keyThatIsNoIdentifier_isRejected(String key) {
        create("alice", null);

        assertThatThrownBy(() -> store.retire("alice", key))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageStartingWith("key: must be");
    }

    private Identity create(String name, @Nullable String issuer) {
        return store.create(
                new IdentityRequest(name, "CN=" + name + ",O=Example", KeyAlgorithm.EC_P256, issuer), password());
    }

    private Identity authority(String name) {
        return store.createAuthority(
                new IdentityRequest(name, "CN=" + name + ",O=Example", KeyAlgorithm.EC_P256, null), password());
    }

    private Identity renew(String name, NextKey key) {
        return store.renew(new IdentityRenewal(name, key, null, IdentityRenewal.DEFAULT_VALIDITY), password());
    }

    private X509Certificate recipient(String name) {
        return home.recipientDirectory().find(name).orElseThrow().certificate();
    }

    private Path formerFile(String name, Identity key) {
        return home.formerKeys().resolve(IdentityFiles.fileName(name, KeyIdentifier.ofKey(key.certificate())));
    }

    private static String id(Identity identity) {
        return idOf(identity.certificate());
    }

    private static String idOf(X509Certificate certificate) {
        return KeyIdentifier.ofKey(certificate).toString();
    }

    private static List<String> ids(IdentityKeys keys) {
        return keys.all().stream().map(IdentityRenewalTest::id).toList();
    }

    private static Password password() {
        return Password.takeOwnershipOf("secret".toCharArray());
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(home.root())) {
            return files.filter(Files::isRegularFile)
                    .map(file -> home.root().relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
