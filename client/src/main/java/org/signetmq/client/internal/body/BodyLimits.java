/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.body;

/**
 * The limits of values that the sender of a body chooses. The section "Limits" of {@code docs/format.md} lists them.
 * The comment names the classes that enforce each.
 */
final class BodyLimits {
    /** Values in a body: {@link AmqpScanner}, {@link CoreBuffer}. */
    static final int VALUES = 1 << 20;

    /** Lists, maps, arrays and described values in a body. Each takes a hundred bytes: {@link AmqpScanner}. */
    static final int CONTAINERS = 1 << 16;

    /** The depth of nested values: {@link AmqpScanner}. */
    static final int DEPTH = 32;

    /**
     * Keys of AMQP maps that are no strings: {@link AmqpScanner}. A map finds strings fast, however many of them share
     * a hash code; it compares other keys with each other.
     */
    static final int OTHER_KEYS = 1000;

    /** Different symbols of AMQP that this process lets its AMQP library keep for ever: {@link AmqpScanner}. */
    static final int SYMBOLS = 4096;

    /** Bytes of such a symbol: {@link AmqpScanner}. */
    static final int SYMBOL = 64;

    private BodyLimits() {}
}
