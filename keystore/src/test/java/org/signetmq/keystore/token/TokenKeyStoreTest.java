/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;

/** Loading from a token, apart from the keys in it. */
final class TokenKeyStoreTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private static Password noPin() {
        throw new IllegalStateException("the PIN is not needed");
    }

    @Test
    void sharedStore_withoutPin_saysWhereToPutIt() throws Exception {
        TestToken token = TestToken.make();

        assertThat(System.getenv(TokenKeyStore.PIN_VARIABLE)).isNull();
        assertThatThrownBy(() -> TokenKeyStore.shared(token.uri("object=x")).load("x"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage(
                        "key-store: no PIN; add pin-source=file:PATH to the URI, or set SIGNET_PIN in the environment");
    }

    @Test
    void sharedStore_afterAFailure_isNotTriedAgainAtOnce() throws Exception {
        Path module = folder.resolve("p11.so");
        TokenUri uri = TokenUri.parse("pkcs11:token=a?module-path=" + module);
        TokenKeyStore store = TokenKeyStore.shared(uri);
        assertThat(TokenKeyStore.shared(uri)).isSameAs(store);
        assertThatThrownBy(() -> store.load("x")).hasMessageContaining("no such file");

        Files.writeString(module, "no library");

        assertThatThrownBy(() -> store.load("x")).hasMessageContaining("no such file");
        assertThatThrownBy(() -> store.watch("x", new Home(folder))).hasMessageContaining("no such file");
        assertThatThrownBy(() -> new TokenKeyStore(uri, TokenKeyStoreTest::noPin).load("x"))
                .hasMessageContaining("it does not list its tokens");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "../alice", "/etc/passwd", "a\nb", "a b"})
    void name_thatIsNone_readsNoFileAndUsesNoToken(String name) {
        TokenKeyStore store = new TokenKeyStore(
                TokenUri.parse("pkcs11:token=a?module-path=/absent/p11.so"), TokenKeyStoreTest::noPin);

        assertThatThrownBy(() -> store.loadAll(name, new Home(folder)))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageStartingWith("name: must be 1 to 64 letters");
    }

    @Test
    void certificatesOfTheHome_thatCannotBeRead_areNamed() throws Exception {
        Home home = new Home(folder);
        Files.createDirectories(home.recipients());
        Files.writeString(home.recipients().resolve("alice.pem"), "no certificate");
        TokenKeyStore store = new TokenKeyStore(
                TokenUri.parse("pkcs11:token=a?module-path=/absent/p11.so"), TokenKeyStoreTest::noPin);

        assertThatThrownBy(() -> store.loadAll("alice", home))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("alice.pem");
    }
}
