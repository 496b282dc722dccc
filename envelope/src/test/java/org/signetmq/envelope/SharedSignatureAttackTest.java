/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.envelope.SharedForge.attribute;
import static org.signetmq.envelope.SharedForge.attributes;
import static org.signetmq.envelope.SharedForge.sha256;
import static org.signetmq.envelope.internal.der.DerReader.OCTET_STRING;
import static org.signetmq.envelope.internal.der.DerReader.SEQUENCE;
import static org.signetmq.envelope.internal.der.DerReader.SET;
import static org.signetmq.envelope.internal.der.DerWriter.concat;
import static org.signetmq.envelope.internal.der.DerWriter.element;
import static org.signetmq.envelope.internal.der.DerWriter.oid;
import static org.signetmq.envelope.internal.der.DerWriter.sorted;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.exception.SignerNotAuthorizedException;
import org.signetmq.envelope.exception.SignerRejectedException;
import org.signetmq.envelope.internal.cms.Oids;
import org.signetmq.keystore.CertificateRejectedException;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.keystore.trust.TrustedCertificate;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

/** Attacks on shared signatures: nothing is released that the signer did not put into the list, for this address. */
final class SharedSignatureAttackTest {
    @RegisterExtension
    static Parties parties = new Parties();

    private static final Identity ALICE = parties.identity("alice");
    private static final Identity MALLORY = parties.identity("mallory");
    private static final Policy POLICY = SharedSignatureTest.shared(QualityOfProtection.INTEGRITY);
    private static final byte[] ENTITY = SharedForge.entity(Parties.ADDRESS, 1, "transfer 100 to bob");
    private static final byte[] OTHER = SharedForge.entity(Parties.ADDRESS, 2, "transfer 200 to mallory");

    private static Opener opener() {
        return parties.opener(List.of(), Parties.policies(POLICY));
    }

    private static byte[] hash(int number) {
        return sha256(ByteBuffer.allocate(4).putInt(number).array());
    }

    private static byte[][] hashes(int count) {
        return Stream.iterate(0, number -> number + 1)
                .limit(count)
                .map(SharedSignatureAttackTest::hash)
                .toArray(byte[][]::new);
    }

    private static SharedForge forge(int others) {
        return new SharedForge(ALICE, ENTITY, hashes(others)).withCertificate();
    }

    private static void assertRejected(Class<? extends EnvelopeException> type, byte[] envelope) {
        assertThatThrownBy(() -> opener().open(envelope, Parties.ADDRESS))
                .isInstanceOf(type)
                .hasMessageNotContaining("transfer");
        assertThat(parties.satisfies(envelope, POLICY)).as("broker").isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 15, 31})
    void listOfUpTo32_opens(int others) {
        byte[] envelope = forge(others).envelope();

        assertThat(opener().open(envelope, Parties.ADDRESS).payload()).isEqualTo("transfer 100 to bob".getBytes(UTF_8));
        assertThat(parties.satisfies(envelope, POLICY)).isTrue();
        assertThat(EnvelopeDescription.of(envelope)
                        .signatureIfVisible()
                        .orElseThrow()
                        .messages())
                .isEqualTo(others + 1);
    }

    /** A list with a certificate known by its key identifier alone. */
    @Test
    void listOfReferencedSigner_opens() {
        byte[] envelope = new SharedForge(ALICE, ENTITY, hash(1)).envelope();

        assertThat(opener().open(envelope, Parties.ADDRESS).signerCertificate()).isEqualTo(ALICE.certificate());
    }

    private static Arguments malformed(String what, Consumer<SharedForge> change) {
        SharedForge forge = forge(3);
        change.accept(forge);
        return Arguments.of(what, forge.envelope());
    }

    static Stream<Arguments> malformed() {
        byte[] hash = sha256(ENTITY);
        byte[] two = concat(sorted(hash(1), hash));
        return Stream.of(
                malformed("empty list", forge -> forge.covered = new byte[0]),
                malformed("list of 33", forge -> forge.covered = new SharedForge(ALICE, ENTITY, hashes(32)).covered),
                malformed("huge list", forge -> forge.covered = new byte[32 << 15]),
                malformed("half a hash", forge -> forge.covered = Arrays.copyOf(two, 48)),
                malformed("a byte too many", forge -> forge.covered = Arrays.copyOf(two, 65)),
                malformed("hash twice", forge -> forge.covered = concat(hash, hash)),
                malformed(
                        "not in order",
                        forge -> forge.covered = concat(Arrays.copyOfRange(two, 32, 64), Arrays.copyOf(two, 32))),
                malformed("list as DER", forge -> forge.covered = element(SEQUENCE, element(OCTET_STRING, hash))),
                malformed("without the entity", forge -> forge.unsigned = null),
                malformed("no attribute", forge -> forge.unsigned = attributes()),
                malformed("two attributes", forge -> forge.unsigned = attributes(attribute(ENTITY), attribute(OTHER))),
                malformed("entity twice", forge -> forge.unsigned = attributes(attribute(ENTITY), attribute(ENTITY))),
                malformed(
                        "two values",
                        forge -> forge.unsigned = attributes(element(
                                SEQUENCE,
                                Oids.LISTED_ENTITY,
                                element(SET, element(OCTET_STRING, ENTITY), element(OCTET_STRING, OTHER))))),
                malformed(
                        "no value",
                        forge -> forge.unsigned = attributes(element(SEQUENCE, Oids.LISTED_ENTITY, element(SET)))),
                malformed(
                        "another attribute",
                        forge -> forge.unsigned = attributes(element(
                                SEQUENCE,
                                oid("1.2.840.113549.1.9.16.2.14"),
                                element(SET, element(OCTET_STRING, ENTITY))))),
                malformed(
                        "attributes twice",
                        forge -> forge.unsigned = concat(attributes(attribute(ENTITY)), attributes(attribute(ENTITY)))),
                malformed(
                        "entity as a list of parts",
                        forge -> forge.unsigned = attributes(
                                element(SEQUENCE, Oids.LISTED_ENTITY, element(SET, element(SEQUENCE, ENTITY))))),
                // a list is no entity, and an entity no list
                malformed("list as an entity", forge -> {
                    forge.type = Oids.DATA;
                    forge.signedType = Oids.DATA;
                    forge.unsigned = null;
                }),
                malformed("signed list, other type outside", forge -> {
                    forge.type = Oids.DATA;
                    forge.unsigned = null;
                }),
                malformed("signed as data, list outside", forge -> forge.signedType = Oids.DATA),
                malformed("unknown type", forge -> {
                    forge.type = oid("2.25.1");
                    forge.signedType = oid("2.25.1");
                }),
                malformed("signed entity, list type outside", forge -> {
                    forge.covered = ENTITY;
                    forge.signedType = Oids.DATA;
                }),
                malformed("ordinary signature with an unsigned attribute", forge -> {
                    forge.covered = ENTITY;
                    forge.type = Oids.DATA;
                    forge.signedType = Oids.DATA;
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("malformed")
    void malformedList_rejected(String what, byte[] envelope) {
        assertThatThrownBy(() -> opener().open(envelope, Parties.ADDRESS))
                .as(what)
                .isInstanceOf(MalformedEnvelopeException.class);
        assertThat(parties.satisfies(envelope, POLICY)).as("broker").isFalse();
    }

    @Test
    void bytesBehindTheEnvelope_rejected() {
        byte[] envelope = forge(3).envelope();

        assertRejected(MalformedEnvelopeException.class, Arrays.copyOf(envelope, envelope.length + 1));
        assertRejected(MalformedEnvelopeException.class, concat(envelope, envelope));
    }

    /** The entity is not signed itself: the hash binds it. */
    @Test
    void entityThatIsNotInTheList_rejected() {
        SharedForge forge = forge(3);
        forge.unsigned = attributes(attribute(OTHER));
        byte[] altered = ENTITY.clone();
        altered[altered.length - 1] ^= 1;
        SharedForge other = forge(3);
        other.unsigned = attributes(attribute(altered));

        assertRejected(AuthenticationFailedException.class, forge.envelope());
        assertRejected(AuthenticationFailedException.class, other.envelope());
    }

    @Test
    void listOfAnotherAddress_rejected() {
        byte[] elsewhere = SharedForge.entity("orders.us", 3, "transfer 100 to bob");
        SharedForge forge = new SharedForge(ALICE, elsewhere, sha256(ENTITY)).withCertificate();

        assertRejected(AddressMismatchException.class, forge.envelope());
    }

    @Test
    void listThatWasChanged_rejected() {
        SharedForge forge = forge(3).signed();
        forge.covered = new SharedForge(ALICE, OTHER, hashes(3)).covered;
        forge.unsigned = attributes(attribute(OTHER));

        assertRejected(AuthenticationFailedException.class, forge.envelope());
    }

    /** The list of an own signature cannot be given another signer. */
    @Test
    void listOfAnotherSigner_rejected() {
        byte[] envelope =
                new SharedForge(MALLORY, ENTITY, hash(1)).withCertificate().envelope();

        assertRejected(SignerNotAuthorizedException.class, envelope);
        SharedForge forged =
                new SharedForge(new Identity("alice", MALLORY.privateKey(), ALICE.chain()), ENTITY, hash(1));
        assertRejected(AuthenticationFailedException.class, forged.envelope());
        assertRejected(
                AuthenticationFailedException.class, forged.withCertificate().envelope());
    }

    /** A remembered list counts for its signature, attributes and certificate alone. */
    @Test
    void rememberedList_doesNotHelpOthers() {
        Opener opener = opener();
        SharedForge genuine =
                new SharedForge(ALICE, ENTITY, sha256(OTHER)).withCertificate().signed();
        opener.open(genuine.envelope(), Parties.ADDRESS);

        // another signature over the same attributes
        SharedForge forged = new SharedForge(
                        new Identity("alice", MALLORY.privateKey(), ALICE.chain()), ENTITY, sha256(OTHER))
                .withCertificate();
        assertThatThrownBy(() -> opener.open(forged.envelope(), Parties.ADDRESS))
                .isInstanceOf(AuthenticationFailedException.class);
        // the remembered signature with the certificate of another signer
        byte[] swapped = ForgedCertificates.carrying(genuine.envelope(), List.of(MALLORY.certificate()));
        assertThatThrownBy(() -> opener.open(swapped, Parties.ADDRESS)).isInstanceOf(EnvelopeException.class);
        // an entity that the list does not have
        genuine.unsigned = attributes(attribute(SharedForge.entity(Parties.ADDRESS, 9, "transfer 900")));
        assertThatThrownBy(() -> opener.open(genuine.envelope(), Parties.ADDRESS))
                .isInstanceOf(AuthenticationFailedException.class);
        // and the other message of the list opens
        genuine.unsigned = attributes(attribute(OTHER));
        assertThat(opener.open(genuine.envelope(), Parties.ADDRESS).payload())
                .isEqualTo("transfer 200 to mallory".getBytes(UTF_8));
    }

    /** A rejected message leaves nothing behind: its list is verified again. */
    @Test
    void listOfARejectedMessage_isNotRemembered() {
        Opener opener = opener();
        SharedForge wrong = new SharedForge(MALLORY, ENTITY, sha256(OTHER)).signed();
        assertThatThrownBy(() -> opener.open(wrong.envelope(), Parties.ADDRESS))
                .isInstanceOf(SignerNotAuthorizedException.class);

        assertThatThrownBy(() -> opener.open(wrong.envelope(), Parties.ADDRESS))
                .isInstanceOf(SignerNotAuthorizedException.class);
    }

    /** A trust that changes its mind. */
    private static final class Trust implements CertificateTrust {
        private final CertificateTrust all = parties.home.certificateTrust();
        private volatile boolean revoked;

        @Override
        public TrustedCertificate verify(
                X509Certificate certificate, Collection<X509Certificate> others, CertificateUse use, Instant at) {
            if (revoked) {
                throw new CertificateRejectedException(CertificateRejectedException.Reason.REVOKED, "revoked");
            }
            return all.verify(certificate, others, use, at);
        }

        @Override
        public List<Recipient> trusted() {
            return all.trusted();
        }

        @Override
        public long version() {
            return all.version();
        }

        @Override
        public long signatureVerifications() {
            return all.signatureVerifications();
        }
    }

    @Test
    void signerRevokedAfterTheListWasRemembered_rejected() {
        Trust trust = new Trust();
        PolicySet policies = Parties.policies(POLICY);
        SharedForge forge =
                new SharedForge(ALICE, ENTITY, sha256(OTHER)).withCertificate().signed();
        try (Opener opener =
                Opener.create(new Opener.Keys(List.of(), parties.home.recipientDirectory(), trust), () -> policies)) {
            opener.open(forge.envelope(), Parties.ADDRESS);
            forge.unsigned = attributes(attribute(OTHER));
            opener.open(forge.envelope(), Parties.ADDRESS);

            trust.revoked = true;

            assertThatThrownBy(() -> opener.open(forge.envelope(), Parties.ADDRESS))
                    .isInstanceOf(SignerRejectedException.class);
        }
    }

    /** The policy of the message counts, not that of the message that made the opener remember the list. */
    @Test
    void rememberedList_underAStricterPolicy_rejected() {
        String elsewhere = "orders.us";
        Policy anyone = Policy.integrity(elsewhere);
        Opener opener = parties.opener(List.of(), Parties.policies(POLICY, anyone));
        SharedForge forge = new SharedForge(MALLORY, SharedForge.entity(elsewhere, 5, "transfer 5"), sha256(ENTITY))
                .withCertificate()
                .signed();
        opener.open(forge.envelope(), elsewhere);

        forge.unsigned = attributes(attribute(ENTITY));

        assertThatThrownBy(() -> opener.open(forge.envelope(), Parties.ADDRESS))
                .isInstanceOf(SignerNotAuthorizedException.class);
    }

    @Test
    void brokerThatLeavesSignaturesToConsumers_remembersNone() {
        Policy structure =
                POLICY.with(new Policy.Enforcement(Policy.SignatureCheck.STRUCTURE, false, false, null, List.of()));
        SharedForge forged = new SharedForge(
                        new Identity("alice", MALLORY.privateKey(), ALICE.chain()), ENTITY, sha256(OTHER))
                .signed();
        EnvelopeCheck check = parties.check();
        SenderRule any = SenderRule.ANY;
        assertThat(check.satisfies(forged.envelope(), Parties.ADDRESS, Parties.effective(structure), any))
                .isTrue();

        assertThat(check.satisfies(forged.envelope(), Parties.ADDRESS, Parties.effective(POLICY), any))
                .isFalse();
    }

    @Test
    void privacyWhereIntegrityComes_rejected() {
        Policy privacy = SharedSignatureTest.shared(QualityOfProtection.PRIVACY, "bob");
        parties.identity("bob");

        assertThatThrownBy(() ->
                        parties.opener(List.of(), Parties.policies(privacy)).open(forge(3).envelope(), Parties.ADDRESS))
                .isInstanceOf(PolicyViolationException.class);
    }

    @Test
    void parties_areReadWithoutTheEntity() throws Exception {
        EnvelopeParties parties = EnvelopeParties.read(new ByteArrayInputStream(forge(3).envelope()))
                .orElseThrow();

        assertThat(parties.signers())
                .containsExactly(EnvelopeParties.namesOf(ALICE.certificate()).get(0));
        assertThat(parties.recipients()).isEmpty();
    }

    /** Two messages of a list are two for the memory of replays. */
    @Test
    void messagesOfOneList_haveTheirOwnIdentifiers() {
        SharedForge forge = new SharedForge(ALICE, ENTITY, sha256(OTHER)).signed();
        byte[] one = forge.envelope();
        forge.unsigned = attributes(attribute(OTHER));
        byte[] other = forge.envelope();
        List<EnvelopeChain.SignedMessage> messages = new ArrayList<>();
        for (byte[] envelope : List.of(one, other)) {
            messages.add(parties.check()
                    .require(envelope, Parties.ADDRESS, Parties.effective(POLICY), SenderRule.ANY)
                    .signedMessage());
        }

        assertThat(messages.get(0).signedAt()).isEqualTo(messages.get(1).signedAt());
        assertThat(messages.get(0).messageId()).isNotEqualTo(messages.get(1).messageId());
    }

    @Test
    void document_isNoMessageOfAList() {
        byte[] envelope = forge(3).envelope();

        assertThatThrownBy(() -> SignedDocument.verify(envelope, parties.home.certificateTrust(), Clock.systemUTC()))
                .isInstanceOf(MalformedEnvelopeException.class);
    }

    @Test
    void indefiniteLengthsAndStringsInParts_areReadAsDer() {
        DerNode envelope = DerNode.parse(forge(3).envelope());
        DerNode data = envelope.child(1, 0);
        DerNode signerInfo = data.child(data.children().size() - 1, 0);
        signerInfo.child(6, 0, 1, 0).split(7, OCTET_STRING);
        data.child(2, 1, 0).split(20, OCTET_STRING);
        envelope.all().forEach(DerNode::makeIndefinite);

        assertThat(opener().open(envelope.encoded(), Parties.ADDRESS).payload())
                .isEqualTo("transfer 100 to bob".getBytes(UTF_8));
    }

    @Test
    void everyByteChanged_rejected() {
        Opener opener = opener();
        byte[] envelope = forge(3).envelope();
        int step = Tier.isLong() ? 1 : 3;
        for (int position = 0; position < envelope.length; position += step) {
            opener.open(envelope, Parties.ADDRESS); // what it remembers must not help
            for (int mask : new int[] {0x01, 0x80, 0xFF, 0x20}) {
                byte[] changed = envelope.clone();
                changed[position] ^= (byte) mask;
                assertThatThrownBy(() -> opener.open(changed, Parties.ADDRESS))
                        .as("byte %d xor %d", position, mask)
                        .isInstanceOf(EnvelopeException.class)
                        .hasMessageNotContaining("transfer");
            }
        }
        for (int length = 0; length < envelope.length; length++) {
            byte[] cut = Arrays.copyOf(envelope, length);
            assertThatThrownBy(() -> opener.open(cut, Parties.ADDRESS))
                    .as("cut at %d", length)
                    .isInstanceOf(EnvelopeException.class);
        }
    }
}
