/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * Says which addresses Signet asks. The issuer of a certificate chooses them. So they must not lead to services of this
 * machine or of its network's link, such as the metadata of a cloud.
 *
 * @param hosts the only hosts that are asked; empty for all but those of this machine and its link
 */
record AddressRule(Set<String> hosts) {
    AddressRule {
        hosts = Set.copyOf(hosts);
    }

    /** Tells whether the address is plain {@code http} with a host, and has no user and no fragment. */
    static boolean isWellFormed(URI address) {
        return "http".equalsIgnoreCase(address.getScheme())
                && address.getHost() != null
                && address.getRawUserInfo() == null
                && address.getRawFragment() == null
                && address.getPort() != 0
                && address.getPort() <= 0xffff;
    }

    /**
     * Rejects an address that must not be asked. May ask the name service.
     *
     * @throws IOException with the reason
     */
    void require(URI address) throws IOException {
        if (!isWellFormed(address)) {
            throw new IOException("its address is not plain http with a host");
        }
        String host = address.getHost().toLowerCase(Locale.ROOT);
        if (!hosts.isEmpty()) {
            if (!hosts.contains(host)) {
                throw new IOException("its host is not among the hosts in trust.json");
            }
            return;
        }
        for (InetAddress each : InetAddress.getAllByName(host)) {
            if (each.isLoopbackAddress()
                    || each.isAnyLocalAddress()
                    || each.isLinkLocalAddress()
                    || each.isMulticastAddress()) {
                throw new IOException("its host is this machine or its link; name the host under hosts in trust.json"
                        + " if that is right");
            }
        }
    }
}
