/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.signetmq.policy.QualityOfProtection;

/** The messages of one protocol under one quality; they have an address of their own. */
record Lane(Protocol protocol, QualityOfProtection quality) {
    /** The protocol of producers. */
    enum Protocol {
        CORE,
        AMQP,
        MQTT,
        STOMP
    }

    /** Every protocol under every quality. */
    static List<Lane> all() {
        return Stream.of(Protocol.values())
                .flatMap(
                        protocol -> Stream.of(QualityOfProtection.values()).map(quality -> new Lane(protocol, quality)))
                .toList();
    }

    /** The address, and the name of its one queue. */
    String address() {
        return "demo." + quality.label() + "." + protocol.name().toLowerCase(Locale.ROOT);
    }
}
