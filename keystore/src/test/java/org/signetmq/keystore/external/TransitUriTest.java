/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.external.TransitUri.Login;

/** URIs that name keys of Transit. */
final class TransitUriTest {
    private static final String START = "transit:https://vault.example:8200/transit/alice";

    @Test
    void uriWithAllAttributes_isRead() {
        TransitUri uri = TransitUri.parse("transit:https://vault.example:8200/team/transit/alice.2"
                + "?token-file=/run/my%20token&ca-file=/etc/ca.pem&namespace=a/b");

        assertThat(uri.service()).isEqualTo(URI.create("https://vault.example:8200"));
        assertThat(uri.mount()).isEqualTo("team/transit");
        assertThat(uri.key()).isEqualTo("alice.2");
        assertThat(uri.login()).isEqualTo(new Login.ByToken(Path.of("/run/my token")));
        assertThat(uri.caFile()).contains(Path.of("/etc/ca.pem"));
        assertThat(uri.namespace()).contains("a/b");
        assertThat(uri).hasToString("TransitUri[key service vault.example:8200, key 'alice.2']");
    }

    @Test
    void loginByKubernetes_hasTheUsualPlaces() {
        assertThat(TransitUri.parse(START + "?kubernetes-role=orders").login())
                .isEqualTo(new Login.ByKubernetes(
                        "orders", "kubernetes", Path.of("/var/run/secrets/kubernetes.io/serviceaccount/token")));
        assertThat(TransitUri.parse(START + "?kubernetes-role=r&kubernetes-mount=jwt/k8s&kubernetes-token-file=/t")
                        .login())
                .isEqualTo(new Login.ByKubernetes("r", "jwt/k8s", Path.of("/t")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8200", "http://localhost", "http://[::1]:8200", "https://[2001:db8::1]"})
    void serviceOnThisMachine_mayUseHttp(String service) {
        assertThat(TransitUri.parse("transit:" + service + "/transit/a?token-file=/t")
                        .service())
                .isEqualTo(URI.create(service));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "transit:http://vault.example/transit/a?token-file=/t | must use https",
                "transit:http://127.0.0.1.evil.example/transit/a?token-file=/t | must use https",
                "transit:file:///transit/a?token-file=/t | must stand https",
                "transit:https://user:secret@vault/transit/a?token-file=/t | without a user",
                "transit:https://vault/a?token-file=/t | the path must be",
                "transit:https://vault/transit/../sys/seal?token-file=/t | the path must be",
                "transit:https://vault/transit/%2e%2e/a?token-file=/t | the path must be",
                "transit:https://vault/transit/a%2Fb/?token-file=/t | the path must be",
                "transit:https://vault/transit/a%0d%0ab?token-file=/t | the path must be",
                "transit:https://vault/transit/a | no login",
                "transit:https://vault/transit/a?token=secret | a token does not belong in a URI",
                "transit:https://vault/transit/a?token-file=t | must be an absolute path",
                "transit:https://vault/transit/a?token-file=/t&token-file=/u | given twice",
                "transit:https://vault/transit/a?token-file=/t&kubernetes-role=r | leave out the one or the other",
                "transit:https://vault/transit/a?kubernetes-mount=r | no login",
                "transit:https://vault/transit/a?kubernetes-role=../x | must have letters",
                "transit:https://vault/transit/a?token-file=/t&namespace=a%0d%0ab | must have letters",
                "transit:https://vault/transit/a?token-file=/t&tokenfile=/t | unknown here",
                "transit:https://vault/transit/a?token-file | not of the form",
                "transit:https://vault/transit/a b | must stand the address",
                "transit: | the path must be",
            })
    void uriThatIsWrong_isRefused_withoutItsValues(String uri, String problem) {
        assertThatThrownBy(() -> KeyStoreUri.parse(uri))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageStartingWith("key-store: ")
                .hasMessageContaining(problem)
                .hasMessageNotContaining("secret");
    }

    @Test
    void uriOfAnotherKind_isRefused_andTheKindsAreNamed() {
        assertThatThrownBy(() -> KeyStoreUri.parse("vault:https://vault/transit/a"))
                .hasMessage("key-store: must be a URI that begins with pkcs11: or transit:");
        assertThatThrownBy(() -> KeyStoreUri.parse(START + "?token-file=/" + "a".repeat(5000)))
                .hasMessageContaining("at most 4096 characters");
    }
}
