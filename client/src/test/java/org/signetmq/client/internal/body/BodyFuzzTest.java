/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.client.internal.provider.ClientLibrary.ClientProtocol;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.BodyKind;
import org.signetmq.keystore.keys.AsymmetricOperations;

/**
 * Any payload becomes a body or the one documented exception, without a private key and in memory that its length
 * bounds. The build runs the recorded inputs. To look for new ones:
 *
 * <pre>
 * JAZZER_FUZZ=1 JAZZER_MAX_DURATION=30m mvn -pl client -am test -Djazzer.hooks=true \
 *     -Dtest='BodyFuzzTest#decode' -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>The first byte of an input is the kind of the body, the second the producer's description of it.
 */
final class BodyFuzzTest {
    /** The memory of an object and its place in a collection, for a value that takes one byte in the payload. */
    private static final long MOST_PER_BYTE = 200;

    private static final long CONSTANT = 1 << 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final List<BodyKind> KINDS = List.of(BodyKind.values());
    private static final List<String> CONTENT_TYPES = List.of(
            "text/plain; charset=utf-8",
            "application/octet-stream",
            "application/x-java-serialized-object",
            "text/plain; charset=utf-16",
            "application/json");

    static Stream<Arguments> inputs() {
        List<byte[]> inputs = new ArrayList<>();
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("text", "Z\u00fcrich");
        map.put("number", 42);
        map.put("bytes", new byte[] {1, 2, 3});
        map.put("null", null);
        List<@Nullable Object> items = new ArrayList<>(map.values());
        items.add("x".repeat(5000));
        inputs.add(input(BodyKind.JMS_MAP, 0, CoreBodies.map(map)));
        inputs.add(input(BodyKind.JMS_STREAM, 0, CoreBodies.stream(items)));
        inputs.add(input(BodyKind.JMS_TEXT, 0, "text".getBytes(US_ASCII)));
        inputs.add(input(BodyKind.JMS_TEXT_UTF16, 0, new byte[] {0, 'a', 0, 'b'}));
        inputs.add(input(BodyKind.JMS_BYTES, 3, "text".getBytes(US_ASCII)));
        Binary binary = new Binary(new byte[] {1, 2, 3});
        Map<Object, Object> values = new HashMap<>(Map.of("a", 1, Symbol.valueOf("b"), List.of(2L, 3.0), binary, "c"));
        for (int said = 0; said < 14; said++) {
            inputs.add(input(BodyKind.AMQP_SECTIONS, said, AmqpBodies.sections(new AmqpValue(values))));
            inputs.add(input(BodyKind.AMQP_SECTIONS, said, AmqpBodies.sections(new AmqpValue("text"))));
            inputs.add(input(
                    BodyKind.AMQP_SECTIONS,
                    said,
                    AmqpBodies.sections(new AmqpSequence(List.of(1, 2)), new AmqpSequence(List.of("three")))));
            inputs.add(input(BodyKind.AMQP_SECTIONS, said, AmqpBodies.sections(new Data(binary), new Data(binary))));
        }
        return inputs.stream().map(Arguments::of);
    }

    private static byte[] input(BodyKind kind, int said, byte[] payload) {
        byte[] input = new byte[payload.length + 2];
        input[0] = (byte) KINDS.indexOf(kind);
        input[1] = (byte) said;
        System.arraycopy(payload, 0, input, 2, payload.length);
        return input;
    }

    @MethodSource("inputs")
    @FuzzTest(maxDuration = "10m")
    void decode(byte @NotNull [] input) {
        if (input.length < 2) {
            return;
        }
        BodyKind kind = KINDS.get((input[0] & 0xff) % KINDS.size());
        int said = input[1] & 0xff;
        Map<String, String> properties = new HashMap<>();
        if (said % 7 < 6) {
            properties.put(BodyDecoder.JMS_TYPE, Integer.toString(said % 7));
        }
        if (said / 7 % 6 < CONTENT_TYPES.size()) {
            properties.put(BodyDecoder.CONTENT_TYPE, CONTENT_TYPES.get(said / 7 % 6));
        }
        requireWithinLimits(kind, Arrays.copyOfRange(input, 2, input.length), properties);
    }

    /** Decodes, and decodes again if it took too much: a class that is loaded is not a body's cost. */
    static void requireWithinLimits(BodyKind kind, byte[] payload, Map<String, String> properties) {
        for (ClientProtocol protocol : List.of(ClientProtocol.AMQP, ClientProtocol.CORE)) {
            requireWithinLimits(kind, payload, properties, protocol);
        }
    }

    private static void requireWithinLimits(
            BodyKind kind, byte[] payload, Map<String, String> properties, ClientProtocol protocol) {
        long operations = AsymmetricOperations.privateKey() + AsymmetricOperations.verifications();
        long most = MOST_PER_BYTE * payload.length + CONSTANT;
        long allocated = allocatedBy(kind, payload, properties, protocol);
        if (allocated > most) {
            allocated = Math.min(
                    allocatedBy(kind, payload, properties, protocol), allocatedBy(kind, payload, properties, protocol));
        }
        assertThat(allocated).as("bytes for %s bytes", payload.length).isLessThanOrEqualTo(most);
        assertThat(AsymmetricOperations.privateKey() + AsymmetricOperations.verifications())
                .isEqualTo(operations);
    }

    private static long allocatedBy(
            BodyKind kind, byte[] payload, Map<String, String> properties, ClientProtocol protocol) {
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        try {
            assertThat(BodyDecoder.decode(kind, payload, properties, protocol)).isNotNull();
        } catch (MalformedEnvelopeException expected) {
            assertThat(expected.getMessage()).startsWith("payload: ").hasSizeLessThan(200);
        }
        return THREADS.getThreadAllocatedBytes(thread) - before;
    }
}
