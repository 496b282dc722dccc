/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.cli.console.CliException;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;

final class KnownIdentityTest {
    @TempDir
    private Path folder;

    private Home home;

    @BeforeEach
    void makeHome() {
        home = new Home(folder.resolve("home"));
        authority(home, "root");
        identity(home, "alice", "root");
        identity(home, "bob", null);
    }

    @Test
    void all_areSortedByName_authoritiesToo() {
        assertThat(KnownIdentity.all(home)).extracting(KnownIdentity::name).containsExactly("alice", "bob", "root");
        assertThat(KnownIdentity.all(home)).allMatch(KnownIdentity::hasPrivateKey);
    }

    @Test
    void trustedCertificateWithoutKey_isNoIdentity() throws IOException {
        Files.copy(home.trust().resolve("root.pem"), home.trust().resolve("other.pem"));

        assertThat(KnownIdentity.all(home)).extracting(KnownIdentity::name).doesNotContain("other");
    }

    @Test
    void unknownName_isAFailureThatNamesTheHome() {
        assertThatThrownBy(() -> KnownIdentity.named("mallory", home))
                .isInstanceOf(CliException.class)
                .hasMessage("identity 'mallory': not in " + home.root());
    }

    @Test
    void held_saysWhichFilesTheHomeHas() throws IOException {
        Files.delete(home.recipients().resolve("alice.pem"));
        Files.delete(home.identities().resolve("bob.p12"));

        assertThat(KnownIdentity.named("alice", home).held()).isEqualTo("key");
        assertThat(KnownIdentity.named("bob", home).held()).isEqualTo("certificate");
        assertThat(KnownIdentity.named("root", home).held()).isEqualTo("key, certificate");
    }

    @Test
    void identityWithoutCertificate_hasNeitherFactsNorChain() throws IOException {
        Files.delete(home.recipients().resolve("alice.pem"));

        assertThat(KnownIdentity.named("alice", home).facts()).isNull();
        assertThat(chain("alice")).isEmpty();
    }

    @Test
    void chain_endsAtTheIssuerThatIssuedItself() throws IOException {
        assertThat(chain("alice")).containsExactly("CN=alice", "CN=root");
        assertThat(chain("root")).containsExactly("CN=root");
        assertThat(chain("bob")).containsExactly("CN=bob");
    }

    @Test
    void chain_endsWhereTheHomeHasNoIssuer() throws IOException {
        Files.delete(home.trust().resolve("root.pem"));

        assertThat(chain("alice")).containsExactly("CN=alice");
    }

    @Test
    void chain_leavesOutAnotherIssuerOfTheSameName() throws IOException {
        Home other = new Home(folder.resolve("other"));
        authority(other, "root");
        Files.copy(
                other.trust().resolve("root.pem"),
                home.trust().resolve("root.pem"),
                StandardCopyOption.REPLACE_EXISTING);

        assertThat(chain("alice")).containsExactly("CN=alice");
    }

    private List<String> chain(String name) throws IOException {
        return KnownIdentity.named(name, home).chain(home).stream()
                .map(X509Certificate::getSubjectX500Principal)
                .map(Object::toString)
                .toList();
    }

    private static void authority(Home home, String name) {
        try (Password password = password()) {
            home.identityStore().createAuthority(request(name, null), password);
        }
    }

    private static void identity(Home home, String name, @Nullable String issuer) {
        try (Password password = password()) {
            home.identityStore().create(request(name, issuer), password);
        }
    }

    private static IdentityRequest request(String name, @Nullable String issuer) {
        return new IdentityRequest(name, "CN=" + name, KeyAlgorithm.EC_P256, issuer);
    }

    private static Password password() {
        return Password.takeOwnershipOf("secret".toCharArray());
    }
}
