/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.Pem;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.testkit.Openssl;

/** Signs policy documents, and reads right and wrong ones. */
final class SignedPoliciesTest {
    private static final PolicySet SET = Parties.policies(Policy.integrity("orders.zürich"));
    private static final String JSON = PolicyFile.format(SET);

    @RegisterExtension
    static Parties parties = new Parties("officer", "other");

    @TempDir
    Path folder;

    private static Identity officer() {
        return parties.identity("officer");
    }

    private static List<X509Certificate> officers() {
        return List.of(officer().certificate());
    }

    private static String signed() {
        return SignedPolicies.sign(JSON, officer(), Clock.systemUTC());
    }

    private static PolicySet set(SignedPolicies opened) {
        return PolicyFile.parse(opened.json(), PartyValidator.acceptAll());
    }

    private static void assertRefused(String text, List<X509Certificate> officers, String words) {
        assertThatThrownBy(() -> SignedPolicies.open(text, officers))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageContaining(words);
    }

    @Test
    void open_signedByOfficer_givesTheSet() {
        SignedPolicies opened = SignedPolicies.open("\r\n " + signed() + "\n", officers());

        assertThat(set(opened)).isEqualTo(SET);
        assertThat(opened.signer()).contains(officer().certificate());
    }

    @Test
    void open_withoutOfficer_readsSignedAndPlain() {
        assertThat(set(SignedPolicies.open(signed(), List.of()))).isEqualTo(SET);
        assertThat(set(SignedPolicies.open(JSON.getBytes(UTF_8), List.of()))).isEqualTo(SET);
        assertThat(SignedPolicies.open(JSON, List.of()).signer()).isEmpty();
    }

    @Test
    void open_unsignedWithOfficer_refused() {
        assertRefused(JSON, officers(), "not signed");
    }

    @Test
    void open_signedByAnother_refused() {
        String other = SignedPolicies.sign(JSON, parties.identity("other"), Clock.systemUTC());

        assertRefused(other, officers(), "not a key of officer.pem");
        assertThat(set(SignedPolicies.open(
                        other,
                        List.of(
                                officer().certificate(),
                                parties.identity("other").certificate()))))
                .isEqualTo(SET);
    }

    /** Any changed character of the base64 changes the document, its signature or its form. */
    @Test
    void open_altered_refused() {
        String text = signed();
        int begin = text.indexOf('\n') + 1;
        int end = text.lastIndexOf("-----END") - 6;
        for (int at = begin; at < end; at += 7) {
            char found = text.charAt(at);
            if (found != '\n') {
                String altered = text.substring(0, at) + (found == 'A' ? 'B' : 'A') + text.substring(at + 1);
                assertThatThrownBy(() -> SignedPolicies.open(altered, officers()))
                        .as("character %d", at)
                        .isInstanceOf(InvalidPolicyException.class);
                assertThatThrownBy(() -> SignedPolicies.open(altered, List.of()))
                        .as("character %d, without officer", at)
                        .isInstanceOf(InvalidPolicyException.class);
            }
        }
    }

    static Stream<String> rubbish() {
        String text = signed();
        return Stream.of(
                "-----",
                "-----BEGIN CMS-----",
                "-----BEGIN CMS-----\n-----END CMS-----\n",
                "-----BEGIN CMS----------END CMS-----",
                text.replace("CMS", "PKCS7"),
                text.replace("BEGIN CMS-----\n", "BEGIN CMS-----\nComment: x\n\n"),
                text + text,
                text + JSON,
                text.replace("-----END", "=\n-----END"),
                text.substring(0, text.length() / 2) + "-----END CMS-----\n",
                Pem.block("CMS", new byte[] {0x30, (byte) 0x84, 0x7F, -1, -1, -1}));
    }

    @ParameterizedTest
    @MethodSource("rubbish")
    void open_rubbishInArmor_refused(String rubbish) {
        assertRefused(rubbish, officers(), "$: ");
        assertRefused(rubbish, List.of(), "$: ");
    }

    @Test
    void open_signedTextBehindOtherText_isJsonAndNoPolicy() {
        SignedPolicies opened = SignedPolicies.open("x" + signed(), List.of());

        assertThat(opened.signer()).isEmpty();
        assertThatThrownBy(() -> set(opened)).isInstanceOf(InvalidPolicyException.class);
    }

    @Test
    void open_tooLong_refused() {
        assertRefused("-----BEGIN CMS-----" + "A".repeat(PolicyFile.LONGEST), officers(), "longer than");
        assertThatThrownBy(() -> SignedPolicies.open(new byte[PolicyFile.LONGEST + 1], List.of()))
                .isInstanceOf(InvalidPolicyException.class)
                .hasMessageContaining("longer than");
    }

    /** A sealed message is signed by the officer's key as well, but its content is an entity. */
    @Test
    void open_sealedMessageOfOfficer_isNoPolicy() {
        byte[] envelope = parties.seal(
                Parties.text(JSON.getBytes(UTF_8)), Parties.policies(Policy.integrity(Parties.ADDRESS)), officer());

        SignedPolicies opened = SignedPolicies.open(Pem.block("CMS", envelope), officers());

        assertThatThrownBy(() -> set(opened)).isInstanceOf(InvalidPolicyException.class);
    }

    @Test
    void open_encryptedMessage_refused() {
        byte[] envelope = parties.seal(
                Parties.text(JSON.getBytes(UTF_8)),
                Parties.policies(Policy.privacy(Parties.ADDRESS, List.of("other"))),
                officer());

        assertRefused(Pem.block("CMS", envelope), officers(), "encrypted");
    }

    @Test
    void signedPolicies_areNoMessage() throws Exception {
        Openssl openssl = new Openssl(folder);
        openssl.write("signed.pem", signed().getBytes(UTF_8));
        openssl.line("cms -cmsout -inform PEM -in signed.pem -outform DER -out signed.der");

        try (Opener opener = parties.opener(List.of(), Parties.policies(Policy.integrity(Parties.ADDRESS)))) {
            assertThatThrownBy(() -> opener.open(openssl.read("signed.der"), Parties.ADDRESS))
                    .hasMessageContaining("header");
        }
    }

    @Test
    void sign_certificateEnded_refused() {
        Clock later = Clock.offset(Clock.systemUTC(), Duration.ofDays(36_500));

        assertThatThrownBy(() -> SignedPolicies.sign(JSON, officer(), later))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessageContaining("valid from");
    }

    @Test
    void openssl_verifiesAndSigns() throws Exception {
        Openssl openssl = new Openssl(folder);
        openssl.write("signed.pem", signed().getBytes(UTF_8));
        String name = ExportedIdentity.write(officer(), openssl);
        openssl.line("cms -verify -binary -inform PEM -in signed.pem -CAfile %s.pem -out verified".formatted(name));
        openssl.line(("cms -sign -binary -nodetach -md sha512 -in verified -outform PEM -out theirs.pem"
                        + " -signer %1$s.pem -inkey %1$s.key")
                .formatted(name));

        assertThat(openssl.read("verified")).isEqualTo(JSON.getBytes(UTF_8));
        assertThat(set(SignedPolicies.open(openssl.read("theirs.pem"), officers())))
                .isEqualTo(SET);
    }
}
