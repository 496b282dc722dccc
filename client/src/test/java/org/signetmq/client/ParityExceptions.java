/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.util.Set;
import java.util.regex.Pattern;
import org.signetmq.client.TestBroker.Client;

/** All that is not with Signet as it is without. {@code docs/clients.md} lists the same. */
final class ParityExceptions {
    /**
     * The broker cannot convert these for Core and OpenWire: it logs an exception, and the consumer gets nothing. With
     * Signet it has bytes to convert, and the message comes.
     */
    private static final Pattern NOT_CONVERTED_FROM_AMQP = Pattern.compile("AMQP stream of every type"
            + "|AMQP STREAM of \\d+ bytes"
            + "|raw AMQP map of (maps|lists|arrays|symbol|decimal\\d+|timestamp|uuid)"
            + "|raw AMQP map by (numbers|symbols)"
            + "|raw AMQP list of (binary|lists|symbol|ubyte|ushort|uint|small uint|ulong|decimal\\d+|timestamp|uuid)"
            + "|raw AMQP sequence of (uint|binary)"
            + "|raw AMQP no body of application/x-java-serialized-object"
            + "|raw AMQP annotated as (map of maps|stream of (binary|uint|lists))");

    /** The same for AMQP: the broker cannot encode bytes in a list, and finds no length before no object. */
    private static final Pattern NOT_CONVERTED_TO_AMQP =
            Pattern.compile("(CORE|OPENWIRE) (stream of every type|STREAM of \\d+ bytes|no object)"
                    + "|raw AMQP map of arrays"); // this one Qpid JMS itself cannot copy

    /** Qpid JMS throws on receiving text that is not in its charset. With Signet it cannot be opened. */
    private static final Pattern BROKEN_TEXTS = Pattern.compile("raw AMQP broken data of "
            + "(text/plain|text/plain; charset=utf-8|TEXT/PLAIN|application/(json|json;charset=utf-8|soap\\+xml))");

    /** The broker rejects these annotations and properties, or fails to convert them, with the plugin as without. */
    private static final Pattern CONVERTED_NEVER =
            Pattern.compile("raw AMQP (application property: (timestamp|uuid)|delivery annotations)");

    /**
     * The broker stores a body of its own protocol that is longer than a record of its journal as a large message, and
     * notes so. An envelope may be shorter than the body, and is never compressed by a Core client.
     */
    private static final Set<String> STORED_OTHERWISE = Set.of(
            "CORE compressed text", "STOMP text of 92160 bytes", "STOMP text of 103424 bytes", "STOMP of 103424 bytes");

    private ParityExceptions() {}

    private static boolean matches(Pattern pattern, Letter letter) {
        return pattern.matcher(letter.name()).matches();
    }

    /** Whether plain Artemis does not deliver this, and Signet does. */
    static boolean isNotConverted(Letter letter, Client client) {
        return matches(client == Client.AMQP ? NOT_CONVERTED_TO_AMQP : NOT_CONVERTED_FROM_AMQP, letter);
    }

    /** Whether this is delivered neither with Signet nor without, or without alone. */
    static boolean mayNotCome(Letter letter, Client client) {
        return isNotConverted(letter, client)
                || matches(client == Client.AMQP ? BROKEN_TEXTS : CONVERTED_NEVER, letter);
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
        return fact.replaceAll("(byte\\[\\d+]) [0-9a-f]{64}", "$1");
    }
}
