/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.home.Password;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.perf.variant.Variant;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.UnmatchedAddress;

final class HomesTest {
    private static final Variant SIGNED = new Variant(QualityOfProtection.INTEGRITY, Reuse.NONE, KeyKind.RSA2048);

    @Test
    void policies_coverTheAddressesOfTheirVariantAlone() {
        PolicySet policies = PolicySet.of(
                1, UnmatchedAddress.PASS, List.of(Homes.policy(Figured.LIMITED), Homes.policy(Figured.UNLIMITED)));

        assertThat(limits(policies, block(Figured.LIMITED).requestAddress(3)).messages())
                .isEqualTo(32);
        assertThat(limits(policies, block(Figured.UNLIMITED).replyAddress(80)).messages())
                .isEqualTo(KeyLimits.MOST_MESSAGES);
        assertThat(policies.find(block(Variant.UNPROTECTED).requestAddress(0))).isEmpty();
    }

    @Test
    void homes_haveTheirOwnKeys_andTheCertificatesOfTheOther(@TempDir Path folder) throws IOException {
        Homes homes = new Homes(folder);

        homes.create(List.of(Figured.LIMITED, SIGNED));

        try (Password password = Password.fromFile(homes.passwordFile())) {
            assertThat(homes.broker().identityStore().load("sender-rsa2048", password))
                    .isNotNull();
            assertThat(homes.clients().identityStore().load("recipient-p256", password))
                    .isNotNull();
        }
        assertThat(homes.clients().identities().resolve("sender-p256.p12")).doesNotExist();
        for (KeyKind key : KeyKind.values()) {
            String recipient = Homes.recipient(key) + ".pem";
            String sender = Homes.sender(key) + ".pem";
            assertThat(homes.broker().recipients().resolve(recipient))
                    .hasSameBinaryContentAs(homes.clients().recipients().resolve(recipient));
            assertThat(homes.clients().trust().resolve(sender))
                    .hasSameBinaryContentAs(homes.broker().recipients().resolve(sender));
        }
    }

    @Test
    void keys_areOfTheKindsOfTheVariantsAlone(@TempDir Path folder) throws IOException {
        Homes homes = new Homes(folder);

        homes.create(List.of(Figured.LIMITED, Figured.UNLIMITED));

        assertThat(homes.broker().identities()).isDirectoryContaining("glob:**sender-p256.p12");
        assertThat(homes.broker().identities()).isDirectoryNotContaining("glob:**rsa2048*");
        assertThat(homes.clients().identities()).isDirectoryNotContaining("glob:**rsa2048*");
    }

    @Test
    void password_isRandom_andItsOwnersAlone(@TempDir Path folder) throws IOException {
        Homes one = new Homes(Files.createDirectory(folder.resolve("one")));
        Homes other = new Homes(Files.createDirectory(folder.resolve("other")));

        one.create(List.of());
        other.create(List.of());

        assertThat(one.userPassword()).hasSizeGreaterThan(20).isNotEqualTo(other.userPassword());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one.passwordFile())))
                .isEqualTo("rw-------");
    }

    @Test
    void policies_areTheSameInBothHomes(@TempDir Path folder) throws IOException {
        Homes homes = new Homes(folder);

        homes.create(List.of(Figured.LIMITED, Figured.UNLIMITED));

        assertThat(homes.clients().policies())
                .hasSameBinaryContentAs(homes.broker().policies());
        assertThat(homes.broker().policies())
                .content()
                .contains("rr.confidentiality.32.p256.#", "rr.confidentiality.unlimited.p256.#", "recipient-p256");
    }

    private static Block block(Variant variant) {
        return new Block(variant, Figured.LOAD, 0, 0);
    }

    private static KeyLimits limits(PolicySet policies, String address) {
        Policy policy = policies.find(address).orElseThrow().policy();
        return policy.encryption().limits();
    }
}
