/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPStandardMessage;
import org.apache.activemq.artemis.protocol.amqp.util.NettyWritable;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Footer;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.apache.qpid.proton.message.impl.MessageImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.interceptor.Producers;
import org.signetmq.interceptor.internal.parse.BodyContent;
import org.signetmq.interceptor.internal.parse.MessageRejectedException;

final class AmqpBodyTest {
    private static final byte[] ENVELOPE = Producers.utf8("envelope ".repeat(60));

    @Test
    void stringValue_isText() throws Exception {
        BodyContent content = content(null, null, new AmqpValue("grüße"));

        assertThat(content.body().kind()).isEqualTo(BodyKind.JMS_TEXT);
        assertThat(content.payload()).isEqualTo(Producers.utf8("grüße"));
    }

    @Test
    void longStringValue_isText() throws Exception {
        BodyContent content = content(null, (byte) 5, new AmqpValue("long ".repeat(100)));

        assertThat(content.body().kind()).isEqualTo(BodyKind.JMS_TEXT);
        assertThat(new String(content.payload(), StandardCharsets.UTF_8)).isEqualTo("long ".repeat(100));
        assertThat(content.properties()).containsEntry("Jms-Type", "5");
    }

    @Test
    void oneData_isBytes() throws Exception {
        for (byte[] bytes : List.of(new byte[] {1, 2}, new byte[300], new byte[0])) {
            BodyContent content = content(null, null, new Data(new Binary(bytes)));

            assertThat(content.body().kind()).isEqualTo(BodyKind.JMS_BYTES);
            assertThat(content.payload()).isEqualTo(bytes);
        }
    }

    @Test
    void oneDataOfASerializedObject_isAnObject() throws Exception {
        BodyContent content =
                content("application/x-java-serialized-object", (byte) 1, new Data(new Binary(new byte[] {5})));

        assertThat(content.body().kind()).isEqualTo(BodyKind.JMS_OBJECT);
        assertThat(content.properties())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("Content-Type", "application/x-java-serialized-object", "Jms-Type", "1"));
    }

    /** No bytes at all would read as no object, which is another message to a consumer. */
    @Test
    void emptyDataOfASerializedObject_staysAsItsSection() throws Exception {
        BodyContent content = content("application/x-java-serialized-object", null, new Data(new Binary(new byte[0])));

        assertThat(content.body().kind()).isEqualTo(BodyKind.AMQP_SECTIONS);
    }

    @Test
    void anythingElse_staysAsItsSections() throws Exception {
        Data data = new Data(new Binary(new byte[] {1}));
        Footer footer = new Footer(Map.of("signature", "of the producer"));
        assertSections(null, new AmqpValue(Map.of("a", 1)));
        assertSections(null, new AmqpValue(null));
        assertSections(null, new AmqpSequence(List.of(1, "two")));
        assertSections(null, new AmqpSequence(List.of(1)), new AmqpSequence(List.of(2)));
        assertSections(null, data, data);
        assertSections(null, data, footer);
        assertSections(null, new AmqpValue("text"), footer);
        assertSections(null);
        assertSections("text/xml", data);
    }

    private static void assertSections(@Nullable String contentType, Section... sections) throws Exception {
        BodyContent content = content(contentType, null, sections);

        assertThat(content.body().kind()).isEqualTo(BodyKind.AMQP_SECTIONS);
        assertThat(content.payload()).isEqualTo(encode(sections));
    }

    /**
     * A string of 2^32 - 8 bytes stands in place of the header's list. Its length is negative in Java, and a decoder
     * that skips it is at the begin of the same section again.
     */
    @Test
    void sectionWithALengthThatLeadsBack_isRejected() {
        byte[] applicationProperties = {0, 0x53, 0x74, 0x40};
        byte[] header = {0, 0x53, 0x70, (byte) 0xb1, -1, -1, -1, -8};
        byte[] encoded =
                ByteBuffer.allocate(12).put(applicationProperties).put(header).array();
        AMQPStandardMessage message = new AMQPStandardMessage(0, encoded, null);

        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThatThrownBy(() -> AmqpBody.of(message))
                        .isInstanceOf(MessageRejectedException.class)
                        .hasMessage("a section of the AMQP message cannot be read"));
    }

    /** Each zero byte begins another descriptor of a descriptor, which the decoder reads by a call of itself. */
    @Test
    void sectionWithAMillionNestedDescriptors_isRejected() {
        byte[] encoded = new byte[1_000_000];
        System.arraycopy(new byte[] {0, 0x53, 0x74, 0x40}, 0, encoded, 0, 4);
        AMQPStandardMessage message = new AMQPStandardMessage(0, encoded, null);

        assertThatThrownBy(() -> AmqpBody.of(message))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessage("a section of the AMQP message cannot be read");
    }

    @Test
    void onlyOneData_mayBeAnEnvelope() throws Exception {
        Data data = new Data(new Binary(ENVELOPE));

        assertThat(AmqpBody.of(message(null, null, data)).possibleEnvelope()).contains(ByteBuffer.wrap(ENVELOPE));
        assertThat(AmqpBody.of(message(null, null, data, data)).possibleEnvelope())
                .isEmpty();
        assertThat(AmqpBody.of(message(null, null, new AmqpValue(new Binary(ENVELOPE))))
                        .possibleEnvelope())
                .isEmpty();
    }

    @Test
    void replaced_isOneDataOfBytes_andKeepsEverythingElse() throws Exception {
        AMQPStandardMessage message = message(
                "text/plain", (byte) 5, new AmqpValue("secret words"), new Footer(Map.of("signature", "stale")));
        int around = AmqpBody.of(message).bytesAround();

        AmqpBody.of(message).replace(ByteBuffer.wrap(ENVELOPE), Set.of());

        MessageImpl decoded = message.getProtonMessage();
        assertThat(((Data) decoded.getBody()).getValue().getArray()).isEqualTo(ENVELOPE);
        assertThat(decoded.getFooter()).isNull();
        assertThat(decoded.getContentType()).isEqualTo("application/octet-stream");
        assertThat(decoded.getMessageAnnotations().getValue())
                .containsEntry(Symbol.valueOf("x-opt-jms-msg-type"), (byte) 3)
                .containsEntry(Symbol.valueOf("x-opt-mine"), "kept");
        assertThat(decoded.getApplicationProperties().getValue()).containsEntry("colour", "blue");
        assertThat(decoded.getCorrelationId()).isEqualTo("correlation");
        assertThat(message.getPriority()).isEqualTo((byte) 7);
        assertThat(message.isDurable()).isTrue();
        assertThat(message.getEncodeSize() - around).isBetween(ENVELOPE.length, ENVELOPE.length + 64);
    }

    private static BodyContent content(@Nullable String contentType, @Nullable Byte jmsType, Section... sections)
            throws Exception {
        return AmqpBody.of(message(contentType, jmsType, sections)).content();
    }

    private static AMQPStandardMessage message(
            @Nullable String contentType, @Nullable Byte jmsType, Section... sections) throws Exception {
        MessageImpl head = new MessageImpl();
        Header header = new Header();
        header.setDurable(true);
        header.setPriority(org.apache.qpid.proton.amqp.UnsignedByte.valueOf((byte) 7));
        head.setHeader(header);
        Map<Symbol, Object> annotations = new java.util.HashMap<>(Map.of(Symbol.valueOf("x-opt-mine"), "kept"));
        if (jmsType != null) {
            annotations.put(Symbol.valueOf("x-opt-jms-msg-type"), jmsType);
        }
        head.setMessageAnnotations(new MessageAnnotations(annotations));
        Properties properties = new Properties();
        properties.setCorrelationId("correlation");
        if (contentType != null) {
            properties.setContentType(Symbol.valueOf(contentType));
        }
        head.setProperties(properties);
        head.setApplicationProperties(new ApplicationProperties(Map.of("colour", "blue")));
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        encoded.write(encode(head));
        encoded.write(encode(sections));
        return new AMQPStandardMessage(0, encoded.toByteArray(), null);
    }

    private static byte[] encode(Section... sections) throws Exception {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        for (Section section : sections) {
            MessageImpl one = new MessageImpl();
            if (section instanceof Footer footer) {
                one.setFooter(footer);
            } else {
                one.setBody(section);
            }
            encoded.write(encode(one));
        }
        return encoded.toByteArray();
    }

    private static byte[] encode(MessageImpl message) {
        ByteBuf buffer = Unpooled.buffer(1024);
        message.encode(new NettyWritable(buffer));
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }
}
