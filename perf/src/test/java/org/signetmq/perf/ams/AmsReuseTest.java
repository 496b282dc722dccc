/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.ams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.cms.CMSEnvelopedData;
import org.bouncycastle.util.encoders.Hex;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.testkit.Tier;

/** The wraps and unwraps of content keys, which are the price of AMS. */
@Tag(Tier.LONG)
final class AmsReuseTest {
    private static final int MESSAGES = 65;
    private static final byte[] PAYLOAD = Payload.ofSize(64);

    @ParameterizedTest
    @CsvSource({"0,65", "1,65", "2,33", "32,3", "64,2", "65,1", "unlimited,1"})
    void key_servesItsNumberOfMessages(String reuse, int keys) throws Exception {
        AmsRoute route = Route.confidential(reuse);
        AmsProducer producer = route.producer();
        AmsConsumer consumer = route.consumer();
        Set<String> vectors = new HashSet<>();

        assertThat(producer.keys()).isZero();
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = producer.seal(PAYLOAD);
            vectors.add(Hex.toHexString(new CMSEnvelopedData(message).getEncryptionAlgParams()));
            assertThat(consumer.open(message)).isEqualTo(PAYLOAD);
        }

        assertThat(producer.keys()).isEqualTo(keys);
        assertThat(consumer.unwraps()).isEqualTo(keys);
        assertThat(vectors)
                .as("each message has an initialization vector of its own")
                .hasSize(MESSAGES);
    }

    @Test
    void newProducer_hasANewKey() throws Exception {
        AmsRoute route = Route.confidential("unlimited");
        AmsConsumer consumer = route.consumer();

        for (int i = 0; i < 5; i++) {
            consumer.open(route.producer().seal(PAYLOAD));
        }

        assertThat(consumer.unwraps()).isEqualTo(5);
    }

    @Test
    void privacy_hasANewKeyForEachMessage_whateverTheReuse() throws Exception {
        AmsRoute route = Route.of(QualityOfProtection.PRIVACY, Reuse.UNLIMITED);
        AmsProducer producer = route.producer();
        AmsConsumer consumer = route.consumer();

        for (int i = 0; i < 5; i++) {
            consumer.open(producer.seal(PAYLOAD));
        }

        assertThat(producer.keys()).isEqualTo(5);
        assertThat(consumer.unwraps()).isEqualTo(5);
    }

    @Test
    void integrity_hasNoKeys() throws Exception {
        AmsRoute route = Route.of(QualityOfProtection.INTEGRITY);
        AmsProducer producer = route.producer();
        AmsConsumer consumer = route.consumer();

        consumer.open(producer.seal(PAYLOAD));

        assertThat(producer.keys()).isZero();
        assertThat(consumer.unwraps()).isZero();
    }

    @Test
    void oneRememberedKey_isLostToEachOtherProducer() throws Exception {
        AmsConsumer consumer = Route.confidential("32").consumer();

        openInterleaved(consumer, 2);

        assertThat(consumer.unwraps()).isEqualTo(2 * MESSAGES);
    }

    @Test
    void twoRememberedKeys_serveTwoProducers() throws Exception {
        AmsConsumer consumer = Route.confidential("32").consumer(2);

        openInterleaved(consumer, 2);

        assertThat(consumer.unwraps()).isEqualTo(2 * 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 64, 1024})
    void rememberedKeys_serveAsManyProducers(int remembered) throws Exception {
        List<byte[]> messages = messagesOfProducers(remembered);
        AmsConsumer consumer = Route.confidential("unlimited").consumer(remembered);

        openThreeTimes(consumer, messages);

        assertThat(consumer.unwraps()).isEqualTo(remembered);
    }

    /** The consumer always forgets the key that it needs next. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 64})
    void rememberedKeys_serveNoneOfOneProducerMore(int remembered) throws Exception {
        List<byte[]> messages = messagesOfProducers(remembered + 1);
        AmsConsumer consumer = Route.confidential("unlimited").consumer(remembered);

        openThreeTimes(consumer, messages);

        assertThat(consumer.unwraps()).isEqualTo(3L * (remembered + 1));
    }

    private static List<byte[]> messagesOfProducers(int count) throws Exception {
        List<byte[]> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.add(Route.confidential("unlimited").producer().seal(PAYLOAD));
        }
        return messages;
    }

    private static void openThreeTimes(AmsConsumer consumer, List<byte[]> messages) throws Exception {
        for (int round = 0; round < 3; round++) {
            for (byte[] message : messages) {
                consumer.open(message);
            }
        }
    }

    private static void openInterleaved(AmsConsumer consumer, int count) throws Exception {
        List<AmsProducer> producers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            producers.add(Route.confidential("32").producer());
        }
        for (int i = 0; i < MESSAGES; i++) {
            for (AmsProducer producer : producers) {
                consumer.open(producer.seal(PAYLOAD));
            }
        }
        assertThat(producers.stream().mapToLong(AmsProducer::keys)).containsOnly(3L);
    }
}
