/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRenewal.NextKey;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.home.Password;

/** Changes passwords, and stops in the middle. */
final class PasswordChangeTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private Home home = new Home(Path.of("unset"));

    /** An identity with a current, a former, a retired and a pending key. */
    @BeforeEach
    void create() {
        home = new Home(folder.resolve("home"));
        Identity first = home.identityStore()
                .create(new IdentityRequest("alice", "CN=alice", KeyAlgorithm.EC_P256, null), old());
        renew();
        renew();
        var unused = home.identityStore()
                .retire("alice", KeyIdentifier.ofKey(first.certificate()).toString());
        var request =
                new PendingRequests(home).renew(home.identityStore().load("alice", old()), KeyAlgorithm.EC_P256, old());
        assertThat(request.subject().getName()).isEqualTo("CN=alice");
    }

    private void renew() {
        var unused = home.identityStore()
                .renew(
                        new IdentityRenewal("alice", new NextKey.New(null), null, IdentityRenewal.DEFAULT_VALIDITY),
                        old());
    }

    @Test
    void allKeys_haveTheNewPassword() throws IOException {
        int files = new PasswordChange(home).change("alice", old(), next());

        assertThat(files).isEqualTo(4);
        assertAllHaveTheNewPassword();
    }

    private void assertAllHaveTheNewPassword() throws IOException {
        IdentityKeys keys = home.identityStore().loadAll("alice", next());
        assertThat(keys.findings()).isEmpty();
        assertThat(keys.all()).hasSize(2);
        assertThatThrownBy(() -> home.identityStore().load("alice", old())).hasMessageContaining("wrong password");
        assertThat(new PendingRequests(home).load("alice", next()).name()).isEqualTo("alice");
        try (var retired = Files.list(home.retiredKeys())) {
            Path file = retired.findFirst().orElseThrow();
            Files.move(file, home.formerKeys().resolve(String.valueOf(file.getFileName())));
        }
        assertThat(home.identityStore().loadAll("alice", next()).all()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void interruptedChange_leavesTheOldPassword_andIsCompletedByTheSameChange(int done) throws IOException {
        AtomicInteger changes = new AtomicInteger();
        PasswordChange stopping = new PasswordChange(home, () -> {
            if (changes.getAndIncrement() == done) {
                throw new UncheckedIOException(new IOException("No space left on device"));
            }
        });

        assertThatThrownBy(() -> stopping.change("alice", old(), next())).isInstanceOf(UncheckedIOException.class);

        IdentityKeys keys = home.identityStore().loadAll("alice", old());
        assertThat(keys.current().name()).isEqualTo("alice");
        assertThat(keys.all().size() + keys.findings().size()).isEqualTo(2);
        var unused = new PasswordChange(home).change("alice", old(), next());
        assertAllHaveTheNewPassword();
    }

    @Test
    void keyWithAnotherPassword_refusesTheChange_andChangesNothing() throws IOException {
        Home other = new Home(folder.resolve("other"));
        var unused = other.identityStore()
                .create(new IdentityRequest("alice", "CN=alice", KeyAlgorithm.EC_P256, null), password("third"));
        Files.copy(other.identities().resolve("alice.p12"), home.formerKeys().resolve("alice.0123456789abcdef.p12"));

        assertThatThrownBy(() -> new PasswordChange(home).change("alice", old(), next()))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("alice.0123456789abcdef.p12: wrong password");

        assertThat(home.identityStore().loadAll("alice", old()).all()).hasSize(2);
    }

    @Test
    void wrongOldPassword_isRefused() {
        assertThatThrownBy(() -> new PasswordChange(home).change("alice", password("wrong"), next()))
                .hasMessageContaining("wrong password");
        assertThatThrownBy(() -> new PasswordChange(home).change("alice", old(), password("na\u00efve")))
                .hasMessageContaining("printable ASCII");
    }

    private static Password old() {
        return password("old");
    }

    private static Password next() {
        return password("next");
    }

    private static Password password(String text) {
        return Password.takeOwnershipOf(text.toCharArray());
    }
}
