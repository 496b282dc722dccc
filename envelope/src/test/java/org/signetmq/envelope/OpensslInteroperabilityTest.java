/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.entity.EntityReading;
import org.signetmq.envelope.internal.entity.HeaderWriter;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.policy.CertificateInclusion;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;
import org.signetmq.policy.Policy.LegacyAlgorithms;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.SignatureAlgorithm;
import org.signetmq.policy.Toleration;
import org.signetmq.testkit.Openssl;
import org.signetmq.testkit.Tier;

/** Checks both directions against stock openssl. */
final class OpensslInteroperabilityTest {
    private static final byte[] PAYLOAD = "Zürich \r\n\n\0\u20ac one line\r\n".getBytes(UTF_8);
    private static final String OAEP_SHA_256 = "-keyopt rsa_padding_mode:oaep -keyopt rsa_oaep_md:sha256";
    private static final ClearMessage MESSAGE = Parties.text(PAYLOAD);

    @TempDir
    Path folder;

    /** Shared by all tests, because RSA keys are slow to make. */
    @RegisterExtension
    static Parties parties = new Parties();

    private Openssl openssl;
    private Identity signer;

    @BeforeEach
    void prepare() {
        openssl = new Openssl(folder);
        signer = signerWith(KeyAlgorithm.EC_P256);
    }

    private static Identity signerWith(KeyAlgorithm key) {
        return parties.identity("signer-" + key.label(), key);
    }

    /** One recipient of each kind, and several, in the short tier of one kind. */
    static Stream<Arguments> keysAndCounts() {
        return Stream.of(KeyAlgorithm.RSA_2048, KeyAlgorithm.EC_P256, KeyAlgorithm.EC_P384, KeyAlgorithm.EC_P521)
                .flatMap(key -> Tier.cases(1, key == KeyAlgorithm.EC_P256 ? 3 : 1, key == KeyAlgorithm.EC_P256 ? 1 : 3)
                        .map(count -> Arguments.of(key, count)));
    }

    static Stream<Arguments> signers() {
        return Stream.of(
                Arguments.of(KeyAlgorithm.RSA_2048, SignatureAlgorithm.SHA_512),
                Arguments.of(KeyAlgorithm.RSA_2048, SignatureAlgorithm.SHA_512_RSA_PSS),
                Arguments.of(KeyAlgorithm.EC_P256, SignatureAlgorithm.SHA_512),
                Arguments.of(KeyAlgorithm.EC_P384, SignatureAlgorithm.SHA_512),
                Arguments.of(KeyAlgorithm.EC_P521, SignatureAlgorithm.SHA_512));
    }

    @ParameterizedTest
    @MethodSource("signers")
    void integrity_verifiedByOpenssl(KeyAlgorithm key, SignatureAlgorithm algorithm) throws Exception {
        signer = signerWith(key);
        for (CertificateInclusion inclusion : CertificateInclusion.values()) {
            Policy policy = Policy.integrity(Parties.ADDRESS).with(new Policy.Signing(algorithm, List.of(), inclusion));

            byte[] envelope = parties.seal(MESSAGE, Parties.policies(policy), signer);

            openssl.write("sealed.der", envelope);
            verify("sealed.der", "entity");
            assertEntity(openssl.read("entity"));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = KeyAlgorithm.class,
            names = {"EC_P256", "RSA_2048"})
    void largeMessage_eachSegmentOpenedByOpenssl(KeyAlgorithm key) throws Exception {
        Identity recipient = parties.identity(parties.several(key, 1).get(0), key);
        PolicySet policies = Parties.policies(Policy.privacy(Parties.ADDRESS, List.of(recipient.name())));
        byte[] payload = Parties.payload(2 * SegmentSealer.SEGMENT_LENGTH + 1);
        EffectivePolicy policy = policies.find(Parties.ADDRESS).orElseThrow();
        List<byte[]> envelopes = parties.segments(SegmentForge.head(), policy, signer, payload);

        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] envelope : envelopes) {
            openssl.write("sealed.der", envelope);
            decrypt("sealed.der", recipient, "signed.der");
            verify("signed.der", "entity");
            byte[] entity = openssl.read("entity");
            joined.writeBytes(EntityReading.of(entity, 0, entity.length).payload());
        }

        assertThat(envelopes).hasSize(3);
        assertThat(joined.toByteArray()).isEqualTo(payload);
    }

    @ParameterizedTest
    @EnumSource(
            value = KeyAlgorithm.class,
            names = {"EC_P256", "EC_P384", "EC_P521"})
    void authenticity_decryptedByOpensslForEachRecipient(KeyAlgorithm key) throws Exception {
        List<String> recipients = parties.several(key, 2);
        signer = signerWith(key);
        PolicySet policies = Parties.policies(Policy.authenticity(Parties.ADDRESS, recipients, KeyLimits.DEFAULT));

        openssl.write("sealed.der", parties.seal(MESSAGE, policies, signer));

        for (String recipient : recipients) {
            decrypt("sealed.der", parties.identity(recipient, key), "entity");
            assertEntity(openssl.read("entity"));
        }
    }

    @ParameterizedTest
    @MethodSource("keysAndCounts")
    void confidentiality_decryptedByOpensslForEachRecipient(KeyAlgorithm key, int count) throws Exception {
        List<String> recipients = parties.several(key, count);
        signer = signerWith(KeyAlgorithm.EC_P256);
        PolicySet policies = Parties.policies(Policy.confidentiality(Parties.ADDRESS, recipients, KeyLimits.DEFAULT));

        openssl.write("sealed.der", parties.seal(MESSAGE, policies, signer));

        for (String recipient : recipients) {
            decrypt("sealed.der", parties.identity(recipient, key), "entity");
            assertEntity(openssl.read("entity"));
        }
    }

    @ParameterizedTest
    @MethodSource("keysAndCounts")
    void privacy_decryptedAndVerifiedByOpenssl(KeyAlgorithm key, int count) throws Exception {
        List<String> recipients = parties.several(key, count);
        signer = signerWith(key);
        PolicySet policies = Parties.policies(Policy.privacy(Parties.ADDRESS, recipients));

        openssl.write("sealed.der", parties.seal(MESSAGE, policies, signer));

        for (String recipient : recipients) {
            decrypt("sealed.der", parties.identity(recipient, key), "signed.der");
            verify("signed.der", "entity");
            assertEntity(openssl.read("entity"));
        }
    }

    @Test
    void recipientsOfAllKinds_eachDecryptsByOpenssl() throws Exception {
        List<String> names = new ArrayList<>();
        KeyAlgorithm rsa = Tier.isLong() ? KeyAlgorithm.RSA_3072 : KeyAlgorithm.RSA_2048;
        for (KeyAlgorithm key : List.of(rsa, KeyAlgorithm.EC_P256, KeyAlgorithm.EC_P384)) {
            names.addAll(parties.several(key, 2));
        }
        signer = signerWith(KeyAlgorithm.EC_P256);
        PolicySet policies = Parties.policies(Policy.confidentiality(Parties.ADDRESS, names, KeyLimits.DEFAULT));

        openssl.write("sealed.der", parties.seal(MESSAGE, policies, signer));

        for (String name : names) {
            decrypt("sealed.der", parties.identity(name, KeyAlgorithm.EC_P256), "entity");
            assertEntity(openssl.read("entity"));
        }
    }

    /** The ways to name parties, to pad, and to encode that the command line offers; plain defaults among them. */
    static Stream<Arguments> opensslWays() {
        return Stream.of(KeyAlgorithm.RSA_2048, KeyAlgorithm.EC_P256)
                .flatMap(key -> Tier.cases(1, 3, 1)
                        .flatMap(count -> Stream.of(
                                        "",
                                        "-keyid",
                                        "-stream",
                                        "-keyid -stream",
                                        key == KeyAlgorithm.EC_P256 ? "-keyopt ecdh_kdf_md:sha256" : OAEP_SHA_256)
                                .map(options -> Arguments.of(key, count, options))));
    }

    @ParameterizedTest
    @MethodSource("opensslWays")
    void encryptedByOpenssl_openedByUs(KeyAlgorithm key, int count, String options) throws Exception {
        List<String> recipients = parties.several(key, count);
        PolicySet policies = Parties.policies(Policy.confidentiality(Parties.ADDRESS, recipients, KeyLimits.DEFAULT)
                .with(acceptance(options)));
        openssl.write("entity", entity());

        encrypt("entity", recipients, key, options);

        assertThat(EnvelopeParties.read(new ByteArrayInputStream(openssl.read("encrypted.der")))
                        .orElseThrow()
                        .recipients())
                .hasSize(count)
                .allMatch(name ->
                        recipients.stream().anyMatch(recipient -> isNameOf(name, parties.identity(recipient, key))));
        for (String recipient : recipients) {
            OpenedMessage opened = parties.opener(List.of(parties.identity(recipient, key)), policies)
                    .open(openssl.read("encrypted.der"), Parties.ADDRESS);
            assertThat(opened.payload()).isEqualTo(PAYLOAD);
            assertThat(opened.quality()).isEqualTo(QualityOfProtection.CONFIDENTIALITY);
        }
    }

    @ParameterizedTest
    @MethodSource("opensslWays")
    void signedAndEncryptedByOpenssl_openedByUs(KeyAlgorithm key, int count, String options) throws Exception {
        List<String> recipients = parties.several(key, count);
        signer = signerWith(key);
        PolicySet policies =
                Parties.policies(Policy.privacy(Parties.ADDRESS, recipients).with(acceptance(options)));
        openssl.write("entity", entity());

        sign(options.startsWith("-keyopt") ? "" : options);
        encrypt("signed.der", recipients, key, options);

        OpenedMessage opened = parties.opener(List.of(parties.identity(recipients.get(0), key)), policies)
                .open(openssl.read("encrypted.der"), Parties.ADDRESS);
        assertThat(opened.payload()).isEqualTo(PAYLOAD);
        assertThat(opened.quality()).isEqualTo(QualityOfProtection.PRIVACY);
        assertThat(opened.signer()).hasValueSatisfying(name -> assertThat(name).contains("CN=signer"));
    }

    @ParameterizedTest
    @MethodSource("signers")
    void signedByOpenssl_openedByUs(KeyAlgorithm key, SignatureAlgorithm algorithm) throws Exception {
        signer = signerWith(key);
        PolicySet policies = Parties.policies(Policy.integrity(Parties.ADDRESS)
                .with(new Policy.Signing(algorithm, List.of(signer.name()), CertificateInclusion.INCLUDED)));
        openssl.write("entity", entity());
        boolean pss = algorithm == SignatureAlgorithm.SHA_512_RSA_PSS;
        // OpenSSL 3.0 cannot stream the padding of PSS
        List<String> ways = pss ? List.of("", "-keyid", "-nocerts") : List.of("", "-keyid", "-stream", "-nocerts");
        boolean allWays = Tier.isLong() || pss || key == KeyAlgorithm.EC_P256;
        for (String options : allWays ? ways : ways.subList(0, 1)) {
            sign((options + (pss ? " -keyopt rsa_padding_mode:pss -keyopt rsa_pss_saltlen:digest" : "")).strip());

            assertThat(EnvelopeParties.read(new ByteArrayInputStream(openssl.read("signed.der")))
                            .orElseThrow()
                            .signers())
                    .singleElement()
                    .satisfies(name -> assertThat(isNameOf(name, signer)).isTrue());
            OpenedMessage opened =
                    parties.opener(List.of(), policies).open(openssl.read("signed.der"), Parties.ADDRESS);
            assertThat(opened.payload()).isEqualTo(PAYLOAD);
            assertThat(opened.quality()).isEqualTo(QualityOfProtection.INTEGRITY);
        }
    }

    private static boolean isNameOf(String name, Identity identity) {
        return EnvelopeParties.namesOf(identity.certificate()).contains(name);
    }

    /** Without options openssl pads by PKCS#1 v1.5 and derives keys by SHA-1. */
    private static Policy.Acceptance acceptance(String options) {
        return new Policy.Acceptance(
                Toleration.ENFORCE,
                SealingPlace.EITHER,
                options.contains("-keyopt") ? LegacyAlgorithms.REFUSED : LegacyAlgorithms.ACCEPTED);
    }

    private void sign(String options) throws Exception {
        String name = ExportedIdentity.write(signer, openssl);
        openssl.line("cms -sign -binary -nodetach -md sha512 -in entity -outform DER -out signed.der -signer " + name
                + ".pem -inkey " + name + ".key " + options);
    }

    /** Options of keys stand behind each recipient, others once. */
    private void encrypt(String in, List<String> recipients, KeyAlgorithm key, String options) throws Exception {
        boolean ofKeys = options.startsWith("-keyopt");
        StringBuilder line = new StringBuilder("cms -encrypt -aes-256-gcm -binary -in " + in);
        line.append(" -outform DER -out encrypted.der").append(ofKeys || options.isEmpty() ? "" : " " + options);
        for (String recipient : recipients) {
            ExportedIdentity.write(parties.identity(recipient, key), openssl);
            line.append(" -recip ").append(recipient).append(".pem").append(ofKeys ? " " + options : "");
        }
        openssl.line(line.toString());
    }

    private void decrypt(String in, Identity recipient, String out) throws Exception {
        String name = ExportedIdentity.write(recipient, openssl);
        openssl.line("cms -decrypt -binary -inform DER -in %1$s -recip %2$s.pem -inkey %2$s.key -out %3$s"
                .formatted(in, name, out));
    }

    private void verify(String in, String out) throws Exception {
        String name = ExportedIdentity.write(signer, openssl);
        openssl.line("cms -verify -binary -inform DER -in %1$s -CAfile %2$s.pem -certfile %2$s.pem -out %3$s"
                .formatted(in, name, out));
    }

    private byte[] entity() {
        HeaderWriter header = new HeaderWriter();
        header.write(MESSAGE, new byte[16], "orders@17", null);
        return DerWriter.concat(Arrays.copyOf(header.buffer(), header.length()), PAYLOAD);
    }

    private static void assertEntity(byte[] entity) {
        String text = new String(entity, ISO_8859_1);
        assertThat(text).startsWith(HeaderName.COMMITTING_LINES + "Content-Type: text/plain; charset=utf-8\r\n");
        assertThat(text).contains("\r\nSignet-Address: orders.eu\r\n");
        assertThat(Arrays.copyOfRange(entity, entity.length - PAYLOAD.length, entity.length))
                .isEqualTo(PAYLOAD);
        assertThat(EntityReading.of(entity, 0, entity.length).payload()).isEqualTo(PAYLOAD);
    }
}
