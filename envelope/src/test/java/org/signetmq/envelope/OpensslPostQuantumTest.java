/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.envelope.internal.entity.EntityReading;
import org.signetmq.envelope.internal.entity.HeaderWriter;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRenewal;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.IdentityStore;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.testkit.Openssl;
import org.signetmq.testkit.Tier;

/** Checks both directions of post-quantum envelopes against openssl 3.6. Skipped where there is none. */
@Tag(Tier.LONG)
final class OpensslPostQuantumTest {
    private static final byte[] PAYLOAD = "Zürich \r\n\n\0 one line\r\n".getBytes(StandardCharsets.UTF_8);
    private static final ClearMessage MESSAGE = Parties.text(PAYLOAD);

    @TempDir
    Path folder;

    private Openssl openssl;
    private Parties parties;

    @BeforeEach
    void prepare() throws Exception {
        openssl = Openssl.postQuantum(folder);
        parties = new Parties("alice", "bob");
    }

    @AfterEach
    void close() {
        if (parties != null) {
            parties.close();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = KeyAlgorithm.class,
            names = {"ML_DSA_65", "ML_DSA_87"})
    void recipientOfMlKem_besideOneOfP256_eachDecryptsByOpenssl(KeyAlgorithm algorithm) throws Exception {
        Identity recipient = receiving(algorithm);
        Policy policy = Policy.confidentiality(Parties.ADDRESS, List.of("bob", "kem"), KeyLimits.DEFAULT);
        openssl.write("sealed.der", parties.seal(MESSAGE, Parties.policies(policy), parties.identity("alice")));

        for (Identity reader : List.of(recipient, parties.identity("bob"))) {
            decrypt("sealed.der", reader, "entity");
            assertEntity();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = KeyAlgorithm.class,
            names = {"ML_DSA_65", "ML_DSA_87"})
    void encryptedByOpenssl_forMlKem_openedByUs(KeyAlgorithm algorithm) throws Exception {
        Identity recipient = receiving(algorithm);
        String name = ExportedIdentity.write(recipient, openssl);
        openssl.write("entity", entity());
        openssl.line("cms -encrypt -aes-256-gcm -binary -keyid -in entity -outform DER -out sealed.der -recip " + name
                + ".pem");
        PolicySet policies =
                Parties.policies(Policy.confidentiality(Parties.ADDRESS, List.of("kem"), KeyLimits.DEFAULT));

        OpenedMessage opened =
                parties.opener(List.of(recipient), policies).open(openssl.read("sealed.der"), Parties.ADDRESS);

        assertThat(opened.payload()).isEqualTo(PAYLOAD);
    }

    @Test
    void vectorOfTheDocument_decryptedByOpenssl() throws Exception {
        FormatDocument document = FormatDocument.read();
        for (FormatDocument.Block pem : document.blocks("pem")) {
            openssl.write(pem.name(), pem.text().getBytes(StandardCharsets.US_ASCII));
        }
        String vector = "confidentiality-mlkem768";
        openssl.write(vector + ".der", FormatDocument.envelope(vector));
        String command = document.block("text", vector).text().strip();

        openssl.line(command.substring("openssl ".length()));

        String entity = document.block("vector", vector).fields().getOrDefault("entity", "");
        assertThat(openssl.read("entity")).isEqualTo(HexFormat.of().parseHex(entity));
    }

    @ParameterizedTest
    @EnumSource(
            value = KeyAlgorithm.class,
            names = {"ML_DSA_65", "ML_DSA_87"})
    void signatureOfMlDsa_verifiedByOpenssl_andTheirsByUs(KeyAlgorithm algorithm) throws Exception {
        Identity signer = parties.identity("signer", algorithm);
        PolicySet policies = Parties.policies(Policy.integrity(Parties.ADDRESS));
        openssl.write("sealed.der", parties.seal(MESSAGE, policies, signer));
        String name = ExportedIdentity.write(signer, openssl);

        verify(name);
        assertEntity();

        byte[] changed = openssl.read("sealed.der");
        changed[changed.length - 1] ^= 1;
        openssl.write("sealed.der", changed);
        assertThatThrownBy(() -> verify(name)).isInstanceOf(AssertionError.class);

        openssl.write("entity", entity());
        openssl.line("cms -sign -binary -nodetach -keyid -md sha512 -in entity -outform DER -out theirs.der -signer "
                + name + ".pem -inkey " + name + ".key");
        OpenedMessage opened = parties.opener(List.of(), policies).open(openssl.read("theirs.der"), Parties.ADDRESS);
        assertThat(opened.payload()).isEqualTo(PAYLOAD);
        assertThat(opened.signer())
                .hasValueSatisfying(shown -> assertThat(shown).contains("CN=signer"));
    }

    @Test
    void signaturesOfBothKinds_verifiedByOpenssl() throws Exception {
        Identity companion = parties.identity("alice.pq", KeyAlgorithm.ML_DSA_65);
        Identity alice = parties.identity("alice").with(companion);
        Policy.Enforcement usual = Policy.Enforcement.DEFAULT;
        Policy both = Policy.integrity(Parties.ADDRESS)
                .with(new Policy.Signing(
                        SignatureAlgorithm.SHA_512, List.of(alice.name()), CertificateInclusion.INCLUDED))
                .with(new Policy.Enforcement(
                        usual.verify(),
                        usual.extraRecipients(),
                        usual.bindUser(),
                        usual.replayWindow(),
                        usual.hide(),
                        Policy.RequiredKeys.BOTH));
        openssl.write("sealed.der", parties.seal(MESSAGE, Parties.policies(both), alice));
        String one = ExportedIdentity.write(alice, openssl);
        String other = ExportedIdentity.write(companion, openssl);
        openssl.write(
                "both.pem",
                (new String(openssl.read(one + ".pem"), StandardCharsets.US_ASCII)
                                + new String(openssl.read(other + ".pem"), StandardCharsets.US_ASCII))
                        .getBytes(StandardCharsets.US_ASCII));

        verify("both");

        assertEntity();
    }

    /** Makes an identity whose other key signs by this algorithm, and returns the key that receives. */
    private Identity receiving(KeyAlgorithm algorithm) {
        IdentityStore store = parties.home.identityStore();
        try (Password password = Password.takeOwnershipOf("test-password".toCharArray())) {
            store.signingOnly().create(new IdentityRequest("kem", "CN=kem,O=Example", algorithm, null), password);
            return store.renewReceiving(
                    new IdentityRenewal(
                            "kem",
                            new IdentityRenewal.NextKey.New(algorithm.receiving()),
                            null,
                            IdentityRenewal.DEFAULT_VALIDITY),
                    password);
        }
    }

    private void decrypt(String in, Identity recipient, String out) throws Exception {
        String name = ExportedIdentity.write(recipient, openssl);
        openssl.line("cms -decrypt -binary -inform DER -in %1$s -recip %2$s.pem -inkey %2$s.key -out %3$s"
                .formatted(in, name, out));
    }

    private void verify(String name) throws Exception {
        openssl.line("cms -verify -binary -inform DER -in sealed.der -CAfile %1$s.pem -certfile %1$s.pem -out entity"
                .formatted(name));
    }

    private static byte[] entity() {
        HeaderWriter header = new HeaderWriter();
        header.write(MESSAGE, new byte[16], "orders@17", null);
        byte[] entity = Arrays.copyOf(header.buffer(), header.length() + PAYLOAD.length);
        System.arraycopy(PAYLOAD, 0, entity, header.length(), PAYLOAD.length);
        return entity;
    }

    private void assertEntity() throws Exception {
        byte[] entity = openssl.read("entity");
        assertThat(EntityReading.of(entity, 0, entity.length).payload()).isEqualTo(PAYLOAD);
    }
}
