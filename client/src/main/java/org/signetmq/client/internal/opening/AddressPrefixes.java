/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The prefixes of addresses in the names of destinations. They are no part of the address.
 *
 * @param ofAcceptor the prefixes that the broker's acceptor removes, longest first
 */
public record AddressPrefixes(List<String> ofAcceptor) {
    /** The prefixes that client libraries put before names. */
    private static final List<String> OF_CLIENTS = List.of("queue://", "topic://", "temp-queue://", "temp-topic://");

    /** The prefixes of client libraries alone. */
    public static final AddressPrefixes NONE = new AddressPrefixes(List.of());

    /**
     * Returns the prefixes of client libraries and these of an acceptor.
     *
     * @throws IllegalArgumentException if one is empty or has a queue part
     */
    public static AddressPrefixes of(Collection<String> prefixes) {
        for (String prefix : prefixes) {
            if (prefix.isEmpty() || prefix.contains("::")) {
                throw new IllegalArgumentException(
                        "address prefixes: must not be empty or contain '::', found '" + prefix + "'");
            }
        }
        return new AddressPrefixes(prefixes.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    /** Returns the name without its prefixes. */
    String removeFrom(String name) {
        return without(ofAcceptor, without(OF_CLIENTS, name));
    }

    private static String without(List<String> prefixes, String name) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return name.substring(prefix.length());
            }
        }
        return name;
    }
}
