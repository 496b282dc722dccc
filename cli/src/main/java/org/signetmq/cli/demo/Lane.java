/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.signetmq.policy.QualityOfProtection;

/**
 * The messages of one protocol under one quality; they have an address of their own.
 *
 * @param number from 0, unique
 * @param protocol how they are sent
 * @param quality how they are protected
 */
record Lane(int number, Protocol protocol, QualityOfProtection quality) {
    /** The protocol of producers. */
    enum Protocol {
        CORE,
        AMQP,
        MQTT,
        STOMP;

        String label() {
            return this == CORE ? "Core/JMS" : name();
        }
    }

    /** Every protocol under every quality. */
    static List<Lane> all() {
        List<Lane> lanes = new ArrayList<>();
        for (Protocol protocol : Protocol.values()) {
            for (QualityOfProtection quality : QualityOfProtection.values()) {
                lanes.add(new Lane(lanes.size(), protocol, quality));
            }
        }
        return lanes;
    }

    /** The pattern of the policy for all lanes of a quality. */
    static String pattern(QualityOfProtection quality) {
        return "demo." + quality.label() + ".#";
    }

    /** The address, and the name of its one queue. */
    String address() {
        return "demo." + quality.label() + "." + protocol.name().toLowerCase(Locale.ROOT);
    }
}
