/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.token;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Password;
import org.signetmq.testkit.SoftHsm;

/** The PIN of the real SoftHSM 2. A process logs in once for all, so each test has a token of its own. */
final class TokenPinTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void wrongPin_isTriedOnceAndNeverShown() throws Exception {
        TestToken token = TestToken.make();
        token.certify(token.generate("EC:prime256v1", "01", "--usage-sign", "--usage-derive"), "01", "alice");
        AtomicReference<String> pin = new AtomicReference<>("5678-wrong");
        TokenKeyStore store = new TokenKeyStore(
                token.uri(""),
                () -> Password.takeOwnershipOf(requireNonNull(pin.get()).toCharArray()));

        assertThatThrownBy(() -> store.load("alice"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("it does not accept the PIN (CKR_PIN_INCORRECT)")
                .hasMessageNotContaining("5678")
                .hasCauseInstanceOf(Exception.class);
        assertThatThrownBy(() -> store.load("alice"))
                .hasMessageContaining("does not try this PIN again")
                .hasNoCause(); // the token was not asked
        TokenKeyStore another =
                new TokenKeyStore(token.uri(""), () -> Password.takeOwnershipOf("5678-wrong".toCharArray()));
        assertThatThrownBy(() -> another.load("alice"))
                .hasMessageContaining("does not try this PIN again")
                .hasNoCause(); // the token was not asked
        pin.set(SoftHsm.PIN);
        assertThat(store.load("alice").name()).isEqualTo("alice");
    }

    @Test
    void pinThatIsNotAscii_isNeverSent_soThatItCountsNotAgainstTheToken() throws Exception {
        TestToken token = TestToken.make();
        token.certify(token.generate("EC:prime256v1", "01", "--usage-sign", "--usage-derive"), "01", "alice");
        for (String pin : new String[] {"1234-r\u00e4cht", "1234-\u65e5"}) {
            TokenKeyStore store = new TokenKeyStore(token.uri(""), () -> Password.takeOwnershipOf(pin.toCharArray()));

            assertThatThrownBy(() -> store.load("alice"))
                    .isInstanceOf(KeystoreUnusableException.class)
                    .hasMessageContaining("the PIN has a character that is not ASCII")
                    .hasMessageNotContaining("1234")
                    .hasNoCause(); // the token was not asked
        }
        assertThat(new TokenKeyStore(token.uri(""), () -> Password.takeOwnershipOf(SoftHsm.PIN.toCharArray()))
                        .load("alice")
                        .name())
                .isEqualTo("alice");
    }

    @Test
    void pinSource_isReadBeforeAnythingElse() throws Exception {
        TestToken token = TestToken.make();
        token.certify(token.generate("EC:prime256v1", "01", "--usage-sign", "--usage-derive"), "01", "alice");
        Path file = Files.writeString(folder.resolve("pin"), "wrong-pin\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        TokenUri uri = TokenUri.parse(token.hsm.uri() + "&pin-source=file:" + file);
        TokenKeyStore store = new TokenKeyStore(uri, () -> {
            throw new IllegalStateException("not asked");
        });

        assertThatThrownBy(() -> store.load("alice")).hasMessageContaining("correct the file " + file);
        Files.writeString(file, SoftHsm.PIN + "\n");
        assertThat(store.load("alice").name()).isEqualTo("alice");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> store.load("alice"))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("may read or change this secret");
    }
}
