/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.signetmq.envelope.internal.cms.Edit.append;
import static org.signetmq.envelope.internal.cms.Edit.content;
import static org.signetmq.envelope.internal.cms.Edit.insert;
import static org.signetmq.envelope.internal.cms.Edit.number;
import static org.signetmq.envelope.internal.cms.Edit.put;
import static org.signetmq.envelope.internal.cms.Edit.remove;
import static org.signetmq.envelope.internal.cms.Edit.repeat;
import static org.signetmq.envelope.internal.der.DerWriter.element;

import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.EnvelopeForge.Template;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.NotARecipientException;
import org.signetmq.envelope.internal.cms.Edit;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.envelope.internal.der.DerReader;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;
import org.signetmq.testkit.Vectors;

/**
 * Envelopes by hand for the classes of holes that were published in CMS readers, most of them in 2025 and 2026. Each
 * has a right tag and signature wherever its sender can compute them.
 */
final class CmsAttackTest {
    private static final Class<MalformedEnvelopeException> MALFORMED = MalformedEnvelopeException.class;
    private static final Class<AuthenticationFailedException> FAILED = AuthenticationFailedException.class;
    private static final byte[] ATTRIBUTE = attribute("1.2.840.113549.1.9.3", Oids.DATA);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static EnvelopeForge forge;

    /** An envelope that no reader may open. */
    record Attack(String name, Template from, byte[] envelope, Class<? extends EnvelopeException> rejection) {
        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    static void prepare() throws Exception {
        forge = new EnvelopeForge(folder);
    }

    /** All attacks that a reader rejects, with the keys of the document in this folder. */
    static List<Attack> all(Path keys) throws Exception {
        forge = new EnvelopeForge(keys);
        return Stream.of(
                        tagsOfOtherLengths(),
                        noncesOfOtherLengths(),
                        forgedAuthEnvelopedData(),
                        signedDataWithoutAProof(),
                        signaturesOfNumbers(),
                        pointsOfNoKey())
                .flatMap(attacks -> attacks)
                .toList();
    }

    private static Template ec() {
        return forge.template("confidentiality", "test-p256");
    }

    private static Template rsa() {
        return forge.template("confidentiality", "test-rsa2048");
    }

    @ParameterizedTest
    @MethodSource({
        "tagsOfOtherLengths",
        "noncesOfOtherLengths",
        "forgedAuthEnvelopedData",
        "signedDataWithoutAProof",
        "signaturesOfNumbers",
        "pointsOfNoKey"
    })
    void forgedEnvelope_isRejected_underEachPolicy(Attack attack) throws Exception {
        Template from = attack.from();

        for (PolicySet policies : List.of(policies(from), PolicySet.EMPTY)) {
            assertThat(open(from, policies, from.envelope())).isNotNull(); // the neighbour opens
            assertThatThrownBy(() -> open(from, policies, attack.envelope()))
                    .as(attack.name())
                    .isExactlyInstanceOf(attack.rejection());
        }
    }

    private static PolicySet policies(Template from) {
        QualityOfProtection quality = QualityOfProtection.valueOf(from.quality().toUpperCase(Locale.ROOT));
        return FixedParties.policies(quality, from.identity(), List.of());
    }

    private static byte[] open(Template from, PolicySet policies, byte[] envelope) throws Exception {
        try (Opener opener = forge.parties().opener(from.identity(), policies, FixedParties.NOW)) {
            return opener.open(envelope, FixedParties.ADDRESS).payload();
        }
    }

    /** CVE-2026-12802: an authentication tag of a few bytes can be guessed. */
    static Stream<Attack> tagsOfOtherLengths() {
        List<Attack> all = new ArrayList<>();
        byte[] right = DerNode.parse(ec().envelope()).child(1, 0, 3).content();
        for (int length : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 32}) {
            Edit tag = content(Arrays.copyOf(right, length), 3);
            all.add(encrypted("tag of " + length, tag, MALFORMED));
            all.add(encrypted("tag of " + length + ", as it says", tag.and(number(length, 2, 1, 1, 1)), MALFORMED));
            all.add(encrypted("tag of " + length + " by default", tag.and(remove(2, 1, 1, 1)), MALFORMED));
            all.add(encrypted("a whole tag that claims " + length, number(length, 2, 1, 1, 1), MALFORMED));
        }
        all.add(encrypted("a whole tag that claims 12 by default", remove(2, 1, 1, 1), MALFORMED));
        all.add(encrypted("no tag", remove(3), MALFORMED));
        return all.stream();
    }

    /** CVE-2025-15467 and CVE-2026-17578: a long nonce overflows a buffer, an empty one reveals the key of the tag. */
    static Stream<Attack> noncesOfOtherLengths() {
        return Stream.of(0, 1, 2, 4, 7, 8, 11, 13, 16, 24, 64, 128, 257, 4096, 1 << 20)
                .map(length -> {
                    byte[] nonce = new byte[length];
                    byte[] sealed = length == 0 ? new byte[64] : gcm(ec(), nonce, new byte[0]);
                    return encrypted("nonce of " + length, sealed(sealed).and(content(nonce, 2, 1, 1, 0)), MALFORMED);
                });
    }

    /** CVE-2026-34182: a structure of which a reader decrypts the content, and does not verify all of it. */
    static Stream<Attack> forgedAuthEnvelopedData() throws Exception {
        byte[] attributes = element(DerReader.constructed(1), ATTRIBUTE);
        byte[] covered = attributes.clone();
        covered[0] = DerReader.SET;
        Edit withAttributes = sealed(gcm(ec(), ec().value("nonce"), covered));
        Template other = forge.template("privacy", "test-p256");
        byte[] others = DerNode.parse(other.envelope()).child(1, 0, 1).encoded();
        Cipher cbc = Cipher.getInstance("AES/CBC/PKCS5Padding");
        cbc.init(Cipher.ENCRYPT_MODE, key(ec()), new IvParameterSpec(new byte[16]));
        Edit asCbc = put(element(DerReader.SEQUENCE, oid("2.16.840.1.101.3.4.1.42"), string(new byte[16])), 2, 1)
                .and(content(cbc.doFinal(ec().entity()), 2, 2));
        Cipher ctr = Cipher.getInstance("AES/CTR/NoPadding");
        ctr.init(Cipher.ENCRYPT_MODE, key(ec()), new IvParameterSpec(Arrays.copyOf(ec().value("nonce"), 16)));
        byte[] flipped = ctr.update(ec().entity());
        List<Attack> all = new ArrayList<>(List.of(
                encrypted("authenticated attributes, verified", withAttributes.and(insert(attributes, 3)), MALFORMED),
                encrypted("authenticated attributes, not verified", insert(attributes, 3), MALFORMED),
                encrypted("authenticated attributes taken off", withAttributes, FAILED),
                encrypted(
                        "unauthenticated attributes", append(element(DerReader.constructed(2), ATTRIBUTE)), MALFORMED),
                encrypted("unverified content of CBC", asCbc, MALFORMED),
                encrypted("unverified content of CBC without a tag", asCbc.and(remove(3)), MALFORMED),
                encrypted("content under the other counter", content(flipped, 2, 2), FAILED),
                encrypted("AES-256-CCM", put(oid("2.16.840.1.101.3.4.1.47"), 2, 1, 0), MALFORMED),
                encrypted("content of another type", put(Oids.SIGNED_DATA, 2, 0), MALFORMED),
                encrypted("absent content", remove(2, 2), MALFORMED),
                encrypted("information of an originator", insert(element(DerReader.constructed(0)), 1), MALFORMED),
                encrypted(
                        "no recipients",
                        structure -> structure.child(1).children().clear(),
                        NotARecipientException.class),
                encrypted("recipients of another message", put(others, 1), FAILED),
                encrypted("a tag of another message", content(other.value("tag"), 3), FAILED)));
        for (int version : new int[] {1, 2, 3, 4}) {
            all.add(encrypted("version " + version, number(version, 0), MALFORMED));
        }
        all.add(new Attack(
                "an encrypted envelope inside another", ec(), forge.encrypted(ec(), ec().envelope()), MALFORMED));
        return all.stream();
    }

    /** Other types than SignedData and AuthEnvelopedData, with the same content. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.2.840.113549.1.7.3", // EnvelopedData
                "1.2.840.113549.1.7.5", // DigestedData
                "1.2.840.113549.1.7.6", // EncryptedData
                "1.2.840.113549.1.9.16.1.2", // AuthenticatedData
                "1.2.840.113549.1.9.16.1.9" // CompressedData
            })
    void contentInfoOfAnotherType_isMalformed(String type) {
        byte[] envelope = put(oid(type), 0).of(DerNode.parse(ec().envelope()));

        assertThatThrownBy(() -> open(ec(), policies(ec()), envelope)).isExactlyInstanceOf(MALFORMED);
    }

    /** CVE-2026-59639 and older ones: a SignedData that a reader takes for signed. */
    static Stream<Attack> signedDataWithoutAProof() {
        byte[] content = oid("1.2.840.113549.1.9.16.1.23");
        byte[] digest = attribute("1.2.840.113549.1.9.4", string(new byte[64]));
        byte[] second = attribute("1.2.840.113549.1.9.3", Oids.DATA);
        List<Attack> all = new ArrayList<>();
        addSigned(all, "no signers", structure -> structure.child(4).children().clear(), MALFORMED);
        addSigned(all, "no set of signers", remove(4), MALFORMED);
        addSigned(all, "no signers and no certificates", remove(4).and(remove(3)), MALFORMED);
        addSigned(all, "two signers", repeat(2, 4), MALFORMED);
        addSigned(all, "a signer behind a broken one", insertBrokenSigner(), MALFORMED);
        addSigned(all, "no signed attributes", remove(4, 0, 3), MALFORMED);
        addSigned(all, "signed attributes as the content", CmsAttackTest::attributesAsContent, MALFORMED);
        addSigned(all, "unsigned attributes", append(element(DerReader.constructed(1), ATTRIBUTE), 4, 0), MALFORMED);
        addSigned(all, "no content", remove(2, 1), MALFORMED);
        addSigned(all, "content of another type", put(content, 2, 0), MALFORMED);
        addSigned(
                all,
                "no digest algorithms",
                structure -> structure.child(1).children().clear(),
                MALFORMED);
        addSigned(all, "SHA-1", put(element(DerReader.SEQUENCE, oid("1.3.14.3.2.26")), 4, 0, 2), MALFORMED);
        addSigned(all, "revocation lists", insert(element(DerReader.constructed(1)), 4), MALFORMED);
        addSigned(all, "another content", content(new byte[] {1}, 2, 1, 0), FAILED);
        addSigned(all, "version 1 with a key identifier", number(1, 4, 0, 0), MALFORMED);
        addSignedAgain(all, "content type twice", append(second, 4, 0, 3));
        addSignedAgain(all, "content type of two values", append(Oids.DATA, 4, 0, 3, 0, 1));
        addSignedAgain(
                all,
                "content type of no value",
                s -> s.child(4, 0, 3, 0, 1).children().clear());
        addSignedAgain(all, "content type of other content", put(content, 4, 0, 3, 0, 1, 0));
        addSignedAgain(all, "no content type", remove(4, 0, 3, 0));
        addSignedAgain(all, "message digest twice", append(digest, 4, 0, 3));
        addSignedAgain(all, "message digest of two values", append(string(new byte[64]), 4, 0, 3, 3, 1));
        addSignedAgain(all, "no message digest", remove(4, 0, 3, 3));
        addSignedAgain(
                all,
                "signing certificate twice",
                structure ->
                        append(structure.child(4, 0, 3, 2).encoded(), 4, 0, 3).change(structure));
        addSignedAgain(
                all,
                "signing certificate of two values",
                structure -> append(structure.child(4, 0, 3, 2, 1, 0).encoded(), 4, 0, 3, 2, 1)
                        .change(structure));
        addSignedAgain(all, "signing certificate of no form", put(string(new byte[64]), 4, 0, 3, 2, 1, 0));
        return all.stream();
    }

    private static Edit insertBrokenSigner() {
        return structure -> {
            DerNode broken = structure.child(4, 0).copy();
            broken.child(5).setContent(new byte[] {0x30, 0});
            structure.child(4).children().add(0, broken);
        };
    }

    /** The signature of a message covers a SET, so it is right for content that is this SET without attributes. */
    private static void attributesAsContent(DerNode structure) {
        byte[] attributes = structure.child(4, 0, 3).encoded();
        attributes[0] = DerReader.SET;
        structure.child(2, 1, 0).setContent(attributes);
        remove(4, 0, 3).change(structure);
    }

    /** Psychic signatures and others of special numbers (CVE-2022-21449), of both kinds of keys. */
    static Stream<Attack> signaturesOfNumbers() throws Exception {
        List<Attack> all = new ArrayList<>();
        BigInteger order = ((ECPublicKey) publicKey("test-p256")).getParams().getOrder();
        List<BigInteger> numbers = List.of(
                BigInteger.ZERO, BigInteger.ONE, order.subtract(BigInteger.ONE), order, order.add(BigInteger.ONE));
        for (BigInteger r : numbers) {
            for (BigInteger s : numbers) {
                byte[] value = element(DerReader.SEQUENCE, integer(r), integer(s));
                addSigned(all, "r = " + r + ", s = " + s, content(value, 4, 0, 5), FAILED);
            }
        }
        for (byte[] value : List.of(new byte[0], new byte[64], new byte[] {0x30, 0}, new byte[] {0x30, (byte) 0x80})) {
            addSigned(all, "signature of " + value.length + " bytes", content(value, 4, 0, 5), FAILED);
        }
        Template rsa = forge.template("integrity", "test-rsa2048");
        BigInteger modulus = ((RSAPublicKey) publicKey("test-rsa2048")).getModulus();
        for (BigInteger number : List.of(
                BigInteger.ZERO, BigInteger.ONE, modulus.subtract(BigInteger.ONE), modulus, modulus.shiftRight(1))) {
            byte[] value = fixed(number, 256);
            all.add(new Attack("RSA " + number.bitLength(), rsa, rsa.edited(content(value, 4, 0, 5)), FAILED));
        }
        return all.stream();
    }

    /** Points that are not on the curve of the key, or that no standard allows. */
    static Stream<Attack> pointsOfNoKey() {
        byte[] point = DerNode.parse(ec().envelope()).child(1, 0, 1, 0, 1, 0, 1).content();
        byte[] off = point.clone();
        off[point.length - 1] ^= 1;
        byte[] hybrid = point.clone();
        hybrid[1] = (byte) (6 + (point[point.length - 1] & 1));
        byte[] zero = new byte[point.length];
        zero[1] = 4;
        byte[] beyond = zero.clone();
        Arrays.fill(beyond, 2, beyond.length, (byte) 0xFF);
        byte[] none = new byte[34]; // x = 5 has no point on P-256
        none[1] = 2;
        none[33] = 5;
        byte[] unused = point.clone();
        unused[0] = 1;
        return Stream.of(
                point("beside the curve", off, FAILED),
                point("with both coordinates zero", zero, FAILED),
                point("with coordinates above the prime", beyond, FAILED),
                point("compressed, without a square root", none, FAILED),
                point("cut", Arrays.copyOf(point, 40), FAILED),
                point("of P-384", Arrays.copyOf(point, 98), FAILED),
                point("at infinity", new byte[] {0, 0}, MALFORMED),
                point("empty", new byte[] {0}, MALFORMED),
                point("in hybrid form", hybrid, MALFORMED),
                point("with unused bits", unused, MALFORMED));
    }

    private static Attack point(String name, byte[] point, Class<? extends EnvelopeException> rejection) {
        return encrypted("a point " + name, content(point, 1, 0, 1, 0, 1), rejection);
    }

    @Test
    void compressedPoint_isThatOfTheWholePoint() throws Exception {
        byte[] point = DerNode.parse(ec().envelope()).child(1, 0, 1, 0, 1, 0, 1).content();
        byte[] compressed = Arrays.copyOf(point, 34);
        compressed[1] = (byte) (2 + (point[point.length - 1] & 1));

        assertThat(open(ec(), PolicySet.EMPTY, ec().edited(content(compressed, 1, 0, 1, 0, 1))))
                .isEqualTo(open(ec(), PolicySet.EMPTY, ec().envelope()));
    }

    /** Manger's attack: no two wrong paddings may be told apart. */
    @Test
    void wrongOaep_hasOneAnswer() throws Exception {
        RSAPublicKey key = (RSAPublicKey) publicKey("test-rsa2048");
        BigInteger modulus = key.getModulus();
        List<byte[]> wrapped = new ArrayList<>(List.of(
                oaep(key, "SHA-256", new byte[0], new byte[0]),
                oaep(key, "SHA-256", new byte[0], new byte[16]),
                oaep(key, "SHA-256", new byte[0], new byte[31]),
                oaep(key, "SHA-256", new byte[0], new byte[33]),
                oaep(key, "SHA-256", new byte[] {1}, new byte[32]),
                oaep(key, "SHA-1", new byte[0], new byte[32])));
        for (BigInteger number : List.of(
                BigInteger.ZERO,
                BigInteger.ONE,
                BigInteger.TWO.shiftLeft(2040).modPow(key.getPublicExponent(), modulus), // leading byte 1
                modulus.subtract(BigInteger.ONE),
                modulus)) {
            wrapped.add(fixed(number, 256));
        }
        wrapped.add(new byte[1]);
        wrapped.add(new byte[257]);

        List<String> answers = wrapped.stream()
                .map(value -> catchThrowable(() -> open(rsa(), PolicySet.EMPTY, rsa().edited(content(value, 1, 0, 3)))))
                .map(answer -> answer.getClass().getSimpleName() + ": " + answer.getMessage())
                .distinct()
                .toList();

        assertThat(answers).hasSize(1);
        assertThat(answers.get(0)).startsWith("AuthenticationFailedException");
    }

    /** BER has many encodings of a structure. All that open are the same message. */
    @ParameterizedTest
    @ValueSource(strings = {"integrity", "confidentiality", "privacy"})
    void otherEncoding_opensToTheSameMessage_orNotAtAll(String quality) throws Exception {
        Template template = forge.template(quality, "test-p256");
        PolicySet policies = policies(template);
        byte[] right = open(template, policies, template.envelope());
        List<DerNode> elements = DerNode.parse(template.envelope()).all();
        int opened = 0;
        for (int i = 0; i < elements.size(); i++) {
            for (int form = 0; form < 3; form++) {
                DerNode changed = DerNode.parse(template.envelope());
                DerNode element = changed.all().get(i);
                if (form == 0) {
                    element.makeIndefinite();
                } else if (form == 1) {
                    Collections.reverse(element.children());
                } else {
                    element.children().addAll(new ArrayList<>(element.children()));
                }
                try {
                    assertThat(open(template, policies, changed.encoded()))
                            .as("element " + i + " in form " + form)
                            .isEqualTo(right);
                    opened++;
                } catch (EnvelopeException rejected) {
                    assertThat(rejected).hasMessageNotContaining("null");
                }
            }
        }
        assertThat(opened).isPositive();
    }

    /** A reader that compares each with each takes minutes for these. */
    @Test
    @Tag(Tier.LONG)
    void hostileEnvelopes_takeNoQuadraticTime() throws Exception {
        try (Opener opener = forge.parties().openerOfAll(PolicySet.EMPTY)) {
            for (HostileEnvelopes.Attack attack : new HostileEnvelopes(forge).all()) {
                byte[] envelope = attack.ofLength(1 << 19);
                long begun = System.nanoTime();
                Throwable rejected = catchThrowable(() -> opener.open(envelope, FixedParties.ADDRESS));
                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .as(attack.name())
                        .isLessThan(Duration.ofSeconds(2));
                assertThat(rejected)
                        .satisfiesAnyOf(
                                none -> assertThat(none).isNull(),
                                one -> assertThat(one).isInstanceOf(EnvelopeException.class));
            }
        }
    }

    /** All nonces of Wycheproof that are not of twelve bytes, with their tags. */
    @Test
    @Tag(Tier.LONG)
    void noncesOfWycheproof_areRejectedByTheParser() throws Exception {
        List<Vectors.Vector> others = Vectors.wycheproof("aes_gcm").stream()
                .filter(vector -> vector.bytes("iv").length != 12)
                .toList();
        assertThat(others).hasSizeGreaterThan(50);
        for (Vectors.Vector vector : others) {
            byte[] envelope = ec().edited(content(vector.bytes("iv"), 2, 1, 1, 0)
                    .and(content(vector.bytes("ct"), 2, 2))
                    .and(content(vector.bytes("tag"), 3)));
            assertThatThrownBy(() -> open(ec(), PolicySet.EMPTY, envelope)).isExactlyInstanceOf(MALFORMED);
        }
    }

    private static Attack encrypted(String name, Edit edit, Class<? extends EnvelopeException> rejection) {
        return new Attack(name, ec(), ec().edited(edit), rejection);
    }

    /** Adds a change of a SignedData, alone and encrypted again. */
    private static void addSigned(
            List<Attack> all, String name, Edit edit, Class<? extends EnvelopeException> rejection) {
        Template alone = forge.template("integrity", "test-p256");
        Template privacy = forge.template("privacy", "test-p256");
        byte[] inner = edit.ofContent(DerNode.parse(privacy.inside()));
        all.add(new Attack(name, alone, alone.edited(edit), rejection));
        all.add(new Attack(name + ", encrypted", privacy, forge.encrypted(privacy, inner), rejection));
    }

    /** The same change, signed again by the key of the signer. */
    private static void addSignedAgain(List<Attack> all, String name, Edit edit) {
        addSigned(
                all,
                name,
                structure -> {
                    edit.change(structure);
                    DerNode whole = DerNode.constructed(
                            DerReader.SEQUENCE,
                            DerNode.parse(Oids.SIGNED_DATA),
                            DerNode.constructed(DerReader.constructed(0), structure));
                    forge.sign(whole, "test-p256");
                },
                MALFORMED);
    }

    private static Edit sealed(byte[] sealed) {
        int length = sealed.length - 16;
        return content(Arrays.copyOf(sealed, length), 2, 2)
                .and(content(Arrays.copyOfRange(sealed, length, sealed.length), 3));
    }

    private static byte[] gcm(Template template, byte[] nonce, byte[] covered) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", "SunJCE");
            cipher.init(Cipher.ENCRYPT_MODE, key(template), new GCMParameterSpec(128, nonce));
            cipher.updateAAD(covered);
            return cipher.doFinal(template.entity());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Key key(Template template) {
        return new SecretKeySpec(template.value("cek"), "AES");
    }

    private static PublicKey publicKey(String identity) throws Exception {
        return forge.parties().certificate(identity).getPublicKey();
    }

    private static byte[] oaep(PublicKey key, String digest, byte[] label, byte[] content)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding", "SunJCE");
        cipher.init(
                Cipher.ENCRYPT_MODE,
                key,
                new OAEPParameterSpec(digest, "MGF1", new MGF1ParameterSpec(digest), new PSource.PSpecified(label)));
        return cipher.doFinal(content);
    }

    private static byte[] fixed(BigInteger number, int length) {
        byte[] bytes = number.toByteArray();
        byte[] fixed = new byte[length];
        int count = Math.min(length, bytes.length);
        System.arraycopy(bytes, bytes.length - count, fixed, length - count, count);
        return fixed;
    }

    private static byte[] integer(BigInteger number) {
        return element(DerReader.INTEGER, number.toByteArray());
    }

    private static byte[] string(byte[] bytes) {
        return element(DerReader.OCTET_STRING, bytes);
    }

    private static byte[] oid(String id) {
        try {
            return new ASN1ObjectIdentifier(id).getEncoded();
        } catch (java.io.IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] attribute(String type, byte[] value) {
        return element(DerReader.SEQUENCE, oid(type), element(DerReader.SET, value));
    }
}
