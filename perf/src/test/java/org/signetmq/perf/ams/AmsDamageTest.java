/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.signetmq.policy.QualityOfProtection.CONFIDENTIALITY;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.asn1.cms.EnvelopedData;
import org.bouncycastle.asn1.cms.KeyTransRecipientInfo;
import org.bouncycastle.asn1.cms.RecipientInfo;
import org.bouncycastle.cms.CMSEnvelopedData;
import org.bouncycastle.cms.CMSException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.signetmq.perf.variant.Payload;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

/** The changes of a message that a consumer notices, and those that it does not. */
@Tag(Tier.LONG)
final class AmsDamageTest {
    private static final byte[] PAYLOAD = Payload.ofSize(100);
    private static final int BLOCK = 16;

    @ParameterizedTest
    @EnumSource(
            value = QualityOfProtection.class,
            names = {"INTEGRITY", "PRIVACY"})
    void anyByteOfASignedMessage_changed_isDetectedOrChangesNoPayload(QualityOfProtection quality) throws Exception {
        byte[] message = Route.of(quality).producer().seal(PAYLOAD);
        AmsConsumer consumer = Route.of(quality).consumer();

        int unnoticed = 0;
        for (int i = 0; i < message.length; i++) {
            byte[] damaged = message.clone();
            damaged[i] ^= 1;
            try {
                assertThat(consumer.open(damaged)).as("byte " + i).isEqualTo(PAYLOAD);
                unnoticed++;
            } catch (GeneralSecurityException e) {
                assertThat(e).hasMessageMatching("[a-z]+: .*");
            }
        }

        assertThat(unnoticed)
                .as("types and versions around the content, and the vector of the block that has only those")
                .isLessThan(60);
    }

    @ParameterizedTest
    @EnumSource(
            value = QualityOfProtection.class,
            names = {"INTEGRITY", "PRIVACY", "CONFIDENTIALITY"})
    void messageThatEndsEarly_isRejected(QualityOfProtection quality) throws Exception {
        byte[] message = Route.of(quality).producer().seal(PAYLOAD);
        AmsConsumer consumer = Route.of(quality).consumer();

        for (int length = 0; length < message.length; length += 7) {
            byte[] start = Arrays.copyOf(message, length);
            assertThatExceptionOfType(GeneralSecurityException.class)
                    .as(length + " bytes")
                    .isThrownBy(() -> consumer.open(start));
        }
    }

    /** CBC has no authentication: the bit changes in the next block, and the block itself becomes random. */
    @Test
    void ciphertextOfAConfidentialMessage_changed_givesAnotherPayload() throws Exception {
        byte[] message = Route.of(CONFIDENTIALITY).producer().seal(PAYLOAD);
        int start = index(message, ciphertext(message));
        message[start + BLOCK] ^= 1;

        byte[] opened = Route.of(CONFIDENTIALITY).consumer().open(message);

        assertThat(opened).hasSameSizeAs(PAYLOAD).isNotEqualTo(PAYLOAD);
        assertThat(Arrays.copyOf(opened, BLOCK)).isEqualTo(Arrays.copyOf(PAYLOAD, BLOCK));
        assertThat(opened[2 * BLOCK]).isEqualTo((byte) (PAYLOAD[2 * BLOCK] ^ 1));
        assertThat(Arrays.copyOfRange(opened, 2 * BLOCK + 1, PAYLOAD.length))
                .isEqualTo(Arrays.copyOfRange(PAYLOAD, 2 * BLOCK + 1, PAYLOAD.length));
    }

    /** The last block has 12 bytes of padding. A change of the bytes before it moves into the padding. */
    @Test
    void paddingOfAConfidentialMessage_changed_isDetected() throws Exception {
        byte[] message = Route.of(CONFIDENTIALITY).producer().seal(PAYLOAD);
        int start = index(message, ciphertext(message));
        message[start + 6 * BLOCK - 1] ^= 1;

        assertThatExceptionOfType(GeneralSecurityException.class)
                .isThrownBy(() -> Route.of(CONFIDENTIALITY).consumer().open(message))
                .withMessage("message: cannot be opened");
    }

    @Test
    void wrappedKey_changed_isDetected_andUnwrappedAgainEachTime() throws Exception {
        byte[] message = Route.of(CONFIDENTIALITY).producer().seal(PAYLOAD);
        message[index(message, wrappedKey(message))] ^= 1;
        AmsConsumer consumer = Route.of(CONFIDENTIALITY).consumer();

        for (int i = 1; i <= 2; i++) {
            assertThatExceptionOfType(GeneralSecurityException.class).isThrownBy(() -> consumer.open(message));
            assertThat(consumer.unwraps()).isEqualTo(i);
        }
    }

    private static byte[] ciphertext(byte[] message) throws CMSException {
        return enveloped(message)
                .getEncryptedContentInfo()
                .getEncryptedContent()
                .getOctets();
    }

    private static byte[] wrappedKey(byte[] message) throws CMSException {
        return KeyTransRecipientInfo.getInstance(RecipientInfo.getInstance(
                                enveloped(message).getRecipientInfos().getObjectAt(0))
                        .getInfo())
                .getEncryptedKey()
                .getOctets();
    }

    private static EnvelopedData enveloped(byte[] message) throws CMSException {
        return EnvelopedData.getInstance(
                new CMSEnvelopedData(message).toASN1Structure().getContent());
    }

    private static int index(byte[] message, byte[] part) {
        HexFormat hex = HexFormat.of();
        int index = hex.formatHex(message).indexOf(hex.formatHex(part));
        assertThat(index).isPositive().isEven();
        return index / 2;
    }
}
