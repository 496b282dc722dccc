/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.signetmq.client.TestBroker.Client;

/** All that is not with Signet as it is without. {@code docs/clients.md} lists the same. */
final class ParityExceptions {
    /**
     * The broker cannot convert these for Core and OpenWire: it logs an exception, and the consumer gets nothing. With
     * Signet it has bytes to convert, and the message comes.
     */
    private static final Set<String> NOT_CONVERTED_FROM_AMQP = Stream.concat(
                    Stream.of(
                            "AMQP stream of every type",
                            "AMQP STREAM of 92160 bytes",
                            "AMQP STREAM of 103424 bytes",
                            "AMQP STREAM of 614400 bytes",
                            "raw AMQP list of binary",
                            "raw AMQP map of maps",
                            "raw AMQP map of lists",
                            "raw AMQP map of arrays",
                            "raw AMQP map by numbers",
                            "raw AMQP map by symbols",
                            "raw AMQP map of symbol",
                            "raw AMQP list of lists",
                            "raw AMQP list of symbol",
                            "raw AMQP list of ubyte",
                            "raw AMQP list of ushort",
                            "raw AMQP list of uint",
                            "raw AMQP list of small uint",
                            "raw AMQP list of ulong",
                            "raw AMQP sequence of uint",
                            "raw AMQP sequence of binary",
                            "raw AMQP no body of application/x-java-serialized-object",
                            "raw AMQP annotated as map of maps",
                            "raw AMQP annotated as stream of binary",
                            "raw AMQP annotated as stream of uint",
                            "raw AMQP annotated as stream of lists"),
                    Stream.of("decimal32", "decimal64", "decimal128", "timestamp", "uuid")
                            .flatMap(type -> Stream.of("raw AMQP map of " + type, "raw AMQP list of " + type)))
            .collect(Collectors.toSet());

    /** The same for AMQP: the broker cannot encode bytes in a list, and finds no length before no object. */
    private static final Set<String> NOT_CONVERTED_TO_AMQP = Set.of(
            "CORE stream of every type",
            "CORE STREAM of 92160 bytes",
            "CORE STREAM of 103424 bytes",
            "CORE STREAM of 614400 bytes",
            "CORE no object",
            "OPENWIRE stream of every type",
            "OPENWIRE STREAM of 92160 bytes",
            "OPENWIRE STREAM of 103424 bytes",
            "OPENWIRE STREAM of 614400 bytes",
            "OPENWIRE no object",
            "raw AMQP map of arrays"); // this one Qpid JMS itself cannot copy

    /** Qpid JMS throws on receiving text that is not in its charset. With Signet it cannot be opened. */
    private static final Set<String> BROKEN_TEXTS = Stream.of(
                    "text/plain",
                    "text/plain; charset=utf-8",
                    "TEXT/PLAIN",
                    "application/json",
                    "application/json;charset=utf-8",
                    "application/soap+xml")
            .map(type -> "raw AMQP broken data of " + type)
            .collect(Collectors.toSet());

    /** The broker rejects these annotations and properties, or fails to convert them, with the plugin as without. */
    private static final Set<String> CONVERTED_NEVER = Set.of(
            "raw AMQP application property: timestamp",
            "raw AMQP application property: uuid",
            "raw AMQP delivery annotations");

    /**
     * The broker stores a body of its own protocol that is longer than a record of its journal as a large message, and
     * notes so. An envelope may be shorter than the body, and is never compressed by a Core client.
     */
    private static final Set<String> STORED_OTHERWISE = Set.of(
            "CORE compressed text", "STOMP text of 92160 bytes", "STOMP text of 103424 bytes", "STOMP of 103424 bytes");

    private ParityExceptions() {}

    /** Whether plain Artemis does not deliver this, and Signet does. */
    static boolean isNotConverted(Letter letter, Client client) {
        return (client == Client.AMQP ? NOT_CONVERTED_TO_AMQP : NOT_CONVERTED_FROM_AMQP).contains(letter.name());
    }

    /** Whether this is delivered neither with Signet nor without, or without alone. */
    static boolean mayNotCome(Letter letter, Client client) {
        return isNotConverted(letter, client)
                || (client == Client.AMQP ? BROKEN_TEXTS : CONVERTED_NEVER).contains(letter.name());
    }

    /** Whether a fact may differ. */
    static boolean allow(Letter letter, Client client, String fact, String plain, String signet) {
        if (fact.startsWith("property JMS_Signet_")) {
            return true; // the properties in which Signet describes the protection
        }
        if (fact.startsWith("property _AMQ_LARGE_")) {
            return STORED_OTHERWISE.contains(letter.name());
        }
        return isOtherValue(letter) && client != Client.AMQP && ofOneLength(plain, signet);
    }

    /**
     * A value that is neither text, bytes, list nor map comes encoded, in bytes. But the broker copies them from a
     * wrong place of its memory: their number is right, and their content is not.
     */
    private static boolean isOtherValue(Letter letter) {
        return letter.name().startsWith("raw AMQP value: ") || letter.name().startsWith("raw AMQP uint and footer");
    }

    private static boolean ofOneLength(String plain, String signet) {
        return plain.contains("byte[") && withoutContent(plain).equals(withoutContent(signet));
    }

    private static String withoutContent(String fact) {
        return fact.replaceAll("(byte\\[\\d+]) -?\\d+", "$1");
    }
}
