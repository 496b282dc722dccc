/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.interceptor.Producers;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

final class CoreBodyTest {
    private static final byte[] ENVELOPE = Producers.utf8("envelope ".repeat(40));

    private final CoreMessage message =
            new CoreMessage(1, 64).setAddress("orders").setDurable(true);

    /** As a client does before it sends: without it, an untouched message encodes as one of four zero bytes. */
    @BeforeEach
    void touchBody() {
        assertThat(message.getBodyBuffer().readableBytes()).isZero();
    }

    private CoreBody body() throws MessageRejectedException {
        return new CoreBody(message, false, 1000);
    }

    private CoreBody mqttBody() throws MessageRejectedException {
        return new CoreBody(message, true, 1000);
    }

    @Test
    void nullText_andTextWithoutBody_areNullTexts() throws Exception {
        message.setType(Message.TEXT_TYPE);
        assertThat(body().content().body().kind()).isEqualTo(BodyKind.JMS_TEXT_NULL);

        message.getBodyBuffer().writeNullableSimpleString(null);

        assertThat(body().content().body().kind()).isEqualTo(BodyKind.JMS_TEXT_NULL);
        assertThat(body().content().payload()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"02", "0100", "0100000004", "010000000361626364", "01000000016162", "017fffffff6162"})
    void bodyOfATextMessageThatIsNoText_isCarriedAsItIs(String hex) throws Exception {
        byte[] bytes = java.util.HexFormat.of().parseHex(hex);
        message.setType(Message.TEXT_TYPE);
        message.getBodyBuffer().writeBytes(bytes);

        assertThat(body().content().body().kind()).isEqualTo(BodyKind.JMS_TEXT_CORE);
        assertThat(body().content().payload()).isEqualTo(bytes);
    }

    /** The broker counts the whole buffer when it decides whether an address is full. */
    @Test
    void envelope_takesNoMoreMemoryThanItNeeds() throws Exception {
        CoreMessage arrived = new CoreMessage(1, 2200).setAddress("orders");
        arrived.setType(Message.BYTES_TYPE);
        arrived.putStringProperty("colour", "blue");
        arrived.getBodyBuffer().writeBytes(new byte[2048]);
        CoreBody body = new CoreBody(arrived, false, 1000);

        replace(body, new byte[2600]);

        int encoded = arrived.getEncodeSize();
        assertThat(arrived.getBodyBufferSize()).isEqualTo(2600);
        assertThat(arrived.getBuffer().capacity()).isBetween(encoded, encoded + 64);
    }

    @Test
    void bytes_map_stream_stayAsTheyAre() throws Exception {
        byte[] bytes = {0, 1, (byte) 0xff};
        message.getBodyBuffer().writeBytes(bytes);
        Map<Byte, BodyKind> kinds = Map.of(
                Message.BYTES_TYPE, BodyKind.JMS_BYTES,
                Message.MAP_TYPE, BodyKind.JMS_MAP,
                Message.STREAM_TYPE, BodyKind.JMS_STREAM,
                Message.DEFAULT_TYPE, BodyKind.JMS_BYTES);

        for (Map.Entry<Byte, BodyKind> kind : kinds.entrySet()) {
            message.setType(kind.getKey());
            assertThat(body().content().body().kind()).isEqualTo(kind.getValue());
            assertThat(body().content().payload()).isEqualTo(bytes);
        }
    }

    @Test
    void bodyOfAnObjectMessageThatIsNoObject_isCarriedAsItIs() throws Exception {
        message.setType(Message.OBJECT_TYPE);
        message.getBodyBuffer().writeInt(Integer.MAX_VALUE);

        assertThat(body().content().body().kind()).isEqualTo(BodyKind.JMS_OBJECT_CORE);
        assertThat(body().content().payload()).containsExactly(0x7f, 0xff, 0xff, 0xff);
    }

    @Test
    void noBody_isEmpty() throws Exception {
        message.setType(Message.DEFAULT_TYPE);

        assertThat(body().content().body().kind()).isEqualTo(BodyKind.JMS_EMPTY);
    }

    @ParameterizedTest
    @ValueSource(bytes = {7, 8, 99})
    void unknownType_isRejected(byte type) {
        message.setType(type);

        assertThatThrownBy(() -> body().content())
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining(Byte.toString(type));
    }

    @Test
    void compressedBody_isInflated() throws Exception {
        compressed("00");
        byte[] text = encodedText("a text that was compressed");
        replaceBody(Producers.deflated(text));
        message.setType(Message.TEXT_TYPE);

        BodyContent content = body().content();

        assertThat(new String(content.payload(), StandardCharsets.UTF_8)).isEqualTo("a text that was compressed");
    }

    @Test
    void compressedBody_onceReplaced_isNoLongerSaidToBeCompressed() throws Exception {
        compressed("00");
        replaceBody(Producers.deflated(new byte[] {1, 2, 3}));

        replace(body(), ENVELOPE);

        assertThat(message.containsProperty(Message.HDR_LARGE_COMPRESSED)).isFalse();
        assertThat(message.containsProperty(Message.HDR_LARGE_BODY_SIZE)).isFalse();
        assertThat(bodyBytes()).isEqualTo(ENVELOPE);
    }

    @Test
    void compressedBody_thatGrowsBeyondTheBound_isRejected() throws Exception {
        compressed("00");
        replaceBody(Producers.deflated(new byte[1001]));

        assertThatThrownBy(this::body)
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("too large");
    }

    @Test
    void bodySaidToBeCompressed_thatIsNot_isRejected() {
        compressed("00010203");

        assertThatThrownBy(this::body).isInstanceOf(MessageRejectedException.class);
    }

    @Test
    void onlyBytes_mayBeAnEnvelope() throws Exception {
        text("text");
        assertThat(body().possibleEnvelope()).isEmpty();

        message.setType(Message.BYTES_TYPE);
        assertThat(body().possibleEnvelope()).isPresent();
    }

    @Test
    void replaced_keepsHeadersAndProperties_alsoWhenStored() throws Exception {
        text("a long text, longer than its envelope ".repeat(100));
        message.putStringProperty("colour", "blue");
        message.putBooleanProperty(SimpleString.of("__HDR_COMPRESSED"), true);
        message.setPriority((byte) 7);
        message.setExpiration(4711);

        replace(body(), ENVELOPE);
        CoreMessage stored = (CoreMessage) message.copy(2);

        assertThat(stored.getType()).isEqualTo(Message.BYTES_TYPE);
        assertThat(stored.getStringProperty("colour")).isEqualTo("blue");
        assertThat(stored.containsProperty("__HDR_COMPRESSED")).isFalse();
        assertThat(stored.getPriority()).isEqualTo((byte) 7);
        assertThat(stored.getExpiration()).isEqualTo(4711);
        assertThat(stored.getAddress()).isEqualTo("orders");
        assertThat(bodyBytes()).isEqualTo(ENVELOPE);
    }

    @Test
    void bytesAround_areWhatIsLeftWithoutTheBody() throws Exception {
        text("a text");
        int around = body().bytesAround();

        replace(body(), ENVELOPE);

        assertThat(message.getEncodeSize()).isEqualTo(around + ENVELOPE.length);
    }

    @Test
    void mqtt_carriesContentTypeAndFormat_andTheMessageLosesThem() throws Exception {
        message.setType(Message.BYTES_TYPE);
        message.getBodyBuffer().writeBytes(Producers.utf8("{}"));
        message.putStringProperty(SimpleString.of("mqtt.content.type"), SimpleString.of("application/json"));
        message.putIntProperty(SimpleString.of("mqtt.payload.format.indicator"), 1);

        BodyContent content = mqttBody().content();
        replace(mqttBody(), ENVELOPE);

        assertThat(content.body().kind()).isEqualTo(BodyKind.MQTT);
        assertThat(content.body().contentType()).isEqualTo("application/json");
        assertThat(content.properties())
                .containsExactlyInAnyOrderEntriesOf(Map.of("Content-Type", "application/json", "Payload-Format", "1"));
        assertThat(message.containsProperty("mqtt.content.type")).isFalse();
        assertThat(message.containsProperty("mqtt.payload.format.indicator")).isFalse();
    }

    @Test
    void emptyRetainedPublish_ofMqttAlone_clears() throws Exception {
        message.setType(Message.BYTES_TYPE);
        message.putBooleanProperty(SimpleString.of("mqtt.message.retain"), true);
        assertThat(mqttBody().clearsRetained()).isTrue();
        assertThat(body().clearsRetained()).isFalse();

        message.getBodyBuffer().writeByte((byte) 0);

        assertThat(mqttBody().clearsRetained()).isFalse();
    }

    @Test
    void envelopeOfOtherMemory_isCopied() throws Exception {
        text("a text");

        body().replace(ByteBuffer.wrap(ENVELOPE), Set.of());

        assertThat(message.getType()).isEqualTo(Message.BYTES_TYPE);
        assertThat(bodyBytes()).isEqualTo(ENVELOPE);
    }

    @Test
    void memory_leavesTheContentReadable() throws Exception {
        byte[] bytes = new byte[700];
        new Random(5).nextBytes(bytes);
        message.setType(Message.BYTES_TYPE);
        message.getBodyBuffer().writeBytes(bytes);
        CoreBody body = body();
        BodyContent content = body.content();

        for (int length : new int[] {1, 700, 10_000}) {
            ByteBuffer memory = body.memory(length);
            memory.put(new byte[length]);

            assertThat(content.payload()).isEqualTo(bytes);
            body.restore();
        }
    }

    @Test
    void restored_isTheMessageThatArrived() throws Exception {
        text("a text");
        message.putStringProperty("colour", "blue");
        byte[] before = whole();
        CoreBody body = body();

        body.memory(500).put(new byte[500]);
        body.restore();

        assertThat(whole()).isEqualTo(before);
        assertThat(new String(body().content().payload(), StandardCharsets.UTF_8))
                .isEqualTo("a text");
    }

    /** A buffer of a pool may give its array to another message while the sealer reads it. */
    @Test
    void bodyInOtherMemoryThanAnArrayOfItsOwn_isCopied() throws Exception {
        text("a text");
        for (ByteBuf buffer : List.of(
                PooledByteBufAllocator.DEFAULT.heapBuffer(),
                PooledByteBufAllocator.DEFAULT.directBuffer(),
                Unpooled.directBuffer())) {
            CoreMessage arrived = new CoreMessage();
            arrived.receiveBuffer(buffer.writeBytes(whole()));
            CoreBody body = new CoreBody(arrived, false, 1000);
            BodyContent content = body.content();

            replace(body, ENVELOPE);

            assertThat(new String(content.payload(), StandardCharsets.UTF_8)).isEqualTo("a text");
            byte[] sealed = new byte[arrived.getBodyBufferSize()];
            arrived.getReadOnlyBodyBuffer().readBytes(sealed);
            assertThat(sealed).isEqualTo(ENVELOPE);
        }
    }

    /** Replaces a body as the plugin does. */
    private static void replace(CoreBody body, byte[] envelope) {
        ByteBuffer memory = body.memory(envelope.length);
        memory.duplicate().put(envelope);
        body.replace(memory, Set.of());
    }

    private byte[] whole() {
        byte[] whole = new byte[message.getEncodeSize()];
        message.getBuffer().getBytes(0, whole);
        return whole;
    }

    private void text(String text) {
        message.setType(Message.TEXT_TYPE);
        message.getBodyBuffer().writeNullableSimpleString(SimpleString.of(text));
    }

    private void compressed(String hex) {
        message.setType(Message.BYTES_TYPE);
        message.getBodyBuffer().writeBytes(java.util.HexFormat.of().parseHex(hex));
        message.putBooleanProperty(Message.HDR_LARGE_COMPRESSED, true);
        message.putLongProperty(Message.HDR_LARGE_BODY_SIZE, 3);
    }

    private void replaceBody(byte[] bytes) {
        message.getBodyBuffer().clear();
        message.getBodyBuffer().writeBytes(bytes);
        message.messageChanged();
    }

    private byte[] bodyBytes() {
        byte[] bytes = new byte[message.getReadOnlyBodyBuffer().readableBytes()];
        message.getReadOnlyBodyBuffer().readBytes(bytes);
        return bytes;
    }

    private static byte[] encodedText(String text) {
        CoreMessage other = new CoreMessage(3, 64);
        other.getBodyBuffer().writeNullableSimpleString(SimpleString.of(text));
        byte[] bytes = new byte[other.getReadOnlyBodyBuffer().readableBytes()];
        other.getReadOnlyBodyBuffer().readBytes(bytes);
        return bytes;
    }
}
