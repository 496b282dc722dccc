/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.keystore.home.HomeTest.assertUnusable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;

/** Loads former keys whose files are wrong in all ways, and keys that are put into the home later. */
final class FormerKeysTest {
    private static final long SECOND = 1_000_000_000;

    private final Home home;
    private final IdentityStore store;
    private final AtomicLong now = new AtomicLong(-SECOND / 2); // the clock overflows zero in the tests
    private final Identity first;

    FormerKeysTest(@TempDir Path folder) {
        this.home = new Home(folder);
        this.store = home.identityStore();
        this.first = create("alice");
    }

    @Test
    void fileOfAnotherIdentitysKey_isNotUsed() throws IOException {
        Identity bob = create("bob");
        put(IdentityFiles.fileName("alice", idOf(bob)), keyStore(bob, "secret"));

        assertOnlyTheCurrentOne("it holds a key of 'CN=bob,O=Example', not of 'CN=alice,O=Example'");
    }

    @Test
    void fileUnderTheNameOfAnotherKey_isNotUsed() throws IOException {
        Identity renewed = renew();
        put("alice.0123456789abcdef.p12", keyStore(first, "secret"));

        IdentityKeys keys = store.loadAll("alice", password());

        assertThat(ids(keys)).containsExactly(id(renewed), id(first));
        assertThat(texts(keys)).singleElement().asString().contains("its name says key 0123456789abcdef", "run: mv ");
    }

    @Test
    void currentKeyOnceMore_isLoadedOnce() throws IOException {
        put(IdentityFiles.fileName("alice", idOf(first)), keyStore(first, "secret"));

        IdentityKeys keys = store.loadAll("alice", password());

        assertThat(ids(keys)).containsExactly(id(first));
        assertThat(keys.findings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice.zz.p12", "alice..p12", "alice.0123456789ABCDEF.p12", "alice.0123456789abcdef0.p12"})
    void nameWithoutKeyIdentifier_isNotUsed(String file) throws IOException {
        put(file, keyStore(first, "secret"));

        assertOnlyTheCurrentOne("its name is not alice.ID.p12");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bob.0123456789abcdef.p12", "alice.b.0123456789abcdef.p12", "alice.pem", "alice", ".p12"})
    void fileOfAnotherName_isNoFinding(String file) throws IOException {
        put(file, new byte[0]);

        IdentityKeys keys = store.loadAll("alice", password());

        assertThat(keys.all()).hasSize(1);
        assertThat(keys.findings()).isEmpty();
    }

    @Test
    void thousandFiles_areReadUpToALimit() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            put("alice.%016x.p12".formatted(i), new byte[0]);
        }

        IdentityKeys keys = store.loadAll("alice", password());

        assertThat(keys.all()).hasSize(1);
        assertThat(keys.findings()).hasSize(IdentityFiles.MOST_FORMER + 1);
        assertThat(texts(keys))
                .anyMatch(text -> text.contains("has 1000 former keys, and only the newest 64 are used"));
        assertThatThrownBy(() -> store.retire("alice", "00000000000003e8"))
                .as("one less than a thousand is the last")
                .hasMessageContaining("has no former key");
    }

    @Test
    void mostFormerKeys_noOneMoreIsMade() throws IOException {
        IdentityKeys full = new IdentityKeys(first, Collections.nCopies(IdentityFiles.MOST_FORMER, first), List.of());
        Identity made = new Home(home.root().resolve("other"))
                .identityStore()
                .create(new IdentityRequest("alice", "CN=alice,O=Example", KeyAlgorithm.EC_P256, null), password());

        assertUnusable(() -> store.replace(full, made, password()), "retire one");
    }

    @Test
    void otherPassword_isAFinding_andTheOtherKeysWork() throws IOException {
        Identity renewed = renew();
        put(IdentityFiles.fileName("alice", idOf(first)), keyStore(first, "another"));

        IdentityKeys keys = store.loadAll("alice", password());

        assertThat(ids(keys)).containsExactly(id(renewed));
        assertThat(texts(keys))
                .singleElement()
                .asString()
                .contains("the former key is not used: wrong password", "signet identity password alice")
                .doesNotContain("another");
    }

    @Test
    void damagedFile_isAFinding() throws IOException {
        put("alice.0123456789abcdef.p12", new byte[] {1, 2, 3});

        assertOnlyTheCurrentOne("damaged");
    }

    @Test
    void fileOpenToOthers_isAFinding_andRejectsTheWholeHome() throws IOException {
        Identity renewed = renew();
        Path file = home.formerKeys().resolve(IdentityFiles.fileName("alice", idOf(first)));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        IdentityKeys keys = store.loadAll("alice", password());

        assertThat(ids(keys)).containsExactly(id(renewed));
        assertThat(texts(keys)).singleElement().asString().contains("run: chmod 600 " + file);
        assertThat(PermissionCheck.forThisUser().home(home).findings())
                .extracting(Finding::mend)
                .containsExactly("chmod 600 " + file);
    }

    @Test
    void retiredKeyOpenToOthers_rejectsTheWholeHome() throws IOException {
        renew();
        Path file = store.retire("alice", id(first));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(PermissionCheck.forThisUser().home(home).findings())
                .extracting(Finding::mend)
                .containsExactly("chmod 600 " + file);
    }

    @Test
    void fileInPlaceOfTheFolder_isAFinding() throws IOException {
        Files.writeString(home.formerKeys(), "no folder");

        assertOnlyTheCurrentOne("former keys are not used");
    }

    @Test
    void keyThatComesLater_isTakenInAfterASecond() {
        try (IdentityWatch watch = watch()) {
            List<Identity> before = watch.current();
            Identity renewed = renew();
            now.addAndGet(SECOND - 1);
            assertThat(watch.current()).isSameAs(before);

            now.addAndGet(1);

            assertThat(watch.current()).extracting(FormerKeysTest::id).containsExactly(id(renewed), id(first));
            assertThat(watch.current()).isSameAs(watch.current());
        }
    }

    @Test
    void renewedTwiceBetweenTwoLooks_bothKeysAreTakenIn() {
        try (IdentityWatch watch = watch()) {
            Identity second = renew();
            Identity third = renew();
            now.addAndGet(SECOND);

            assertThat(watch.current())
                    .extracting(FormerKeysTest::id)
                    .startsWith(id(third))
                    .containsExactlyInAnyOrder(id(third), id(second), id(first));
        }
    }

    @Test
    void renewedByTwoThreadsAtOnce_noKeyIsLost() {
        CompletableFuture<Identity> other = CompletableFuture.supplyAsync(this::renew);

        List<String> made = List.of(id(renew()), id(other.join()), id(first));

        IdentityKeys keys = store.loadAll("alice", password());
        assertThat(ids(keys)).containsExactlyInAnyOrderElementsOf(made);
        assertThat(keys.findings()).isEmpty();
    }

    @Test
    void keyThatAMessageMisses_isTakenInAtOnce() {
        try (IdentityWatch watch = watch()) {
            assertThat(watch.afterMiss()).isSameAs(watch.current());
            Identity second = renew();

            assertThat(watch.afterMiss()).extracting(FormerKeysTest::id).containsExactly(id(second), id(first));
        }
    }

    @Test
    void keysThatCannotBeLoaded_leaveTheEarlierOnes() throws IOException {
        Path file = home.identities().resolve("alice.p12");
        byte[] good = Files.readAllBytes(file);
        try (IdentityWatch watch = watch()) {
            List<Identity> before = watch.current();
            Files.write(file, new byte[] {1});
            now.addAndGet(SECOND);
            assertThat(watch.current()).isSameAs(before);
            Files.delete(file);
            now.addAndGet(SECOND);
            assertThat(watch.current()).isSameAs(before);

            put(Path.of("..", "alice.p12").toString(), good);
            Identity renewed = renew();
            now.addAndGet(SECOND);

            assertThat(watch.current()).extracting(FormerKeysTest::id).containsExactly(id(renewed), id(first));
        }
    }

    @Test
    void formerKeyUnderANewPassword_isKeptByARunningWatch_whileItsFileIsThere() throws IOException {
        Identity renewed = renew();
        String file = IdentityFiles.fileName("alice", idOf(first));
        try (IdentityWatch watch = watch()) {
            List<Identity> before = watch.current();
            put(file, keyStore(first, "another")); // a change of the password that was interrupted
            now.addAndGet(SECOND);
            assertThat(watch.current()).isSameAs(before);
            put(file, new byte[] {1});
            now.addAndGet(SECOND);
            assertThat(watch.current()).isSameAs(before);

            Files.delete(home.formerKeys().resolve(file));
            now.addAndGet(SECOND);

            assertThat(watch.current()).extracting(FormerKeysTest::id).containsExactly(id(renewed));
        }
    }

    @Test
    void retiredKey_isDropped_andTheOthersStayTheSame() {
        Identity renewed = renew();
        try (IdentityWatch watch = watch()) {
            Identity current = watch.current().get(0);
            store.retire("alice", id(first));
            now.addAndGet(SECOND);

            assertThat(watch.current()).singleElement().isSameAs(current);
            assertThat(id(current)).isEqualTo(id(renewed));
        }
    }

    @Test
    void closedWatch_keepsItsKeysAndLoadsNoMore() {
        IdentityWatch watch = watch();
        List<Identity> before = watch.current();
        watch.close();
        renew();
        now.addAndGet(SECOND);

        assertThat(watch.current()).isSameAs(before);
        assertThat(watch.afterMiss()).isSameAs(before);
        assertThat(watch).hasToString("IdentityWatch[alice]");
    }

    private IdentityWatch watch() {
        try (Password given = password()) { // the watch has a copy
            return new HomeReader(home, now::get).watchIdentity("alice", given);
        }
    }

    private void assertOnlyTheCurrentOne(String finding) {
        IdentityKeys keys = store.loadAll("alice", password());
        assertThat(ids(keys)).containsExactly(id(first));
        assertThat(texts(keys)).singleElement().asString().contains(finding);
    }

    private void put(String name, byte[] content) throws IOException {
        Files.createDirectories(home.formerKeys());
        Path file = home.formerKeys().resolve(name);
        Files.write(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static byte[] keyStore(Identity identity, String password) {
        try (Password used = Password.takeOwnershipOf(password.toCharArray())) {
            return KeyStoreFile.bytes(identity, used);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Identity create(String name) {
        return store.create(
                new IdentityRequest(name, "CN=" + name + ",O=Example", KeyAlgorithm.EC_P256, null), password());
    }

    private Identity renew() {
        return store.renew(
                new IdentityRenewal(
                        "alice", new IdentityRenewal.NextKey.New(null), null, IdentityRenewal.DEFAULT_VALIDITY),
                password());
    }

    private static KeyIdentifier idOf(Identity identity) {
        return KeyIdentifier.ofKey(identity.certificate());
    }

    private static String id(Identity identity) {
        return idOf(identity).toString();
    }

    private static List<String> ids(IdentityKeys keys) {
        return keys.all().stream().map(FormerKeysTest::id).toList();
    }

    private static List<String> texts(IdentityKeys keys) {
        return keys.findings().stream().map(Finding::toString).toList();
    }

    private static Password password() {
        return Password.takeOwnershipOf("secret".toCharArray());
    }
}
