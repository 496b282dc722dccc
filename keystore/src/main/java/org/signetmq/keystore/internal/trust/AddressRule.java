/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Says which addresses Signet asks. The issuer of a certificate chooses them. So they must not lead to services of this
 * machine or of its network's link, such as the metadata of a cloud, in any spelling.
 *
 * @param hosts the only hosts that are asked; empty for all but those of this machine and its link
 */
record AddressRule(Set<String> hosts) {
    private static final Set<String> METADATA_NAMES = Set.of(
            "metadata",
            "metadata.google.internal",
            "metadata.goog",
            "metadata.azure.internal",
            "metadata.oraclecloud.com",
            "metadata.tencentyun.com",
            "metadata.packet.net",
            "metadata.platformequinix.com",
            "instance-data",
            "instance-data.ec2.internal");

    /** The networks with the metadata of clouds. */
    private static final List<Network> METADATA = networks(
            "a9fe0000/16", // 169.254.0.0, link local, with the metadata of most clouds
            "646464c8/32", // 100.100.100.200
            "a83f8110/32", // 168.63.129.16
            "c0000000/24", // 192.0.0.0, with 192.0.0.192
            "fd000ec2000000000000000000000000/32",
            "fd2000ce000000000000000000000000/32");

    private static final List<Network> REFUSED = networks(
            "00000000/8", // this network
            "7f000000/8", // loopback
            "e0000000/3", // multicast, reserved and broadcast
            "00000000000000000000000000000000/96", // unspecified, loopback, and IPv4-compatible
            "0000000000000000ffff000000000000/96", // IPv4-translated
            "20010000000000000000000000000000/32", // Teredo, a tunnel to IPv4 addresses
            "20020000000000000000000000000000/16", // 6to4, another one
            "01000000000000000000000000000000/64", // discarded
            "0064ff9b000100000000000000000000/48", // local translation to any network
            "fc000000000000000000000000000000/7", // unique local
            "fe800000000000000000000000000000/9", // link local, site local
            "ff000000000000000000000000000000/8"); // multicast

    /**
     * The network by which a translator leads to IPv4 addresses, and those that it must not lead to beside the above.
     */
    private static final Network NAT64 =
            networks("0064ff9b000000000000000000000000/96").get(0);

    private static final List<Network> PRIVATE = networks("0a000000/8", "ac100000/12", "c0a80000/16", "64400000/10");

    AddressRule {
        hosts = Set.copyOf(hosts);
    }

    /** A range of addresses. */
    private record Network(byte[] first, int bits) {
        boolean contains(byte[] address) {
            int free = first.length * Byte.SIZE - bits;
            return address.length == first.length
                    && new BigInteger(1, address).shiftRight(free).equals(new BigInteger(1, first).shiftRight(free));
        }
    }

    private static List<Network> networks(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text.split("/", -1))
                .map(parts -> new Network(HexFormat.of().parseHex(parts[0]), Integer.parseInt(parts[1])))
                .toList();
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
     * Rejects an address by its text alone.
     *
     * @throws IOException with the reason
     */
    void requireName(URI address) throws IOException {
        if (!isWellFormed(address)) {
            throw new IOException("its address is not plain http with a host");
        }
        String host = host(address);
        if (!hosts.isEmpty() && !hosts.contains(host)) {
            throw new IOException("its host is not among the hosts in trust.json");
        }
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        if (hosts.isEmpty()
                && (METADATA_NAMES.contains(name) || name.equals("localhost") || name.endsWith(".localhost"))) {
            throw refused();
        }
    }

    private static String host(URI address) {
        return address.getHost().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the addresses of a host, to which alone a connection may go. Asks the name service.
     *
     * @throws IOException with the reason why the host must not be asked
     */
    List<InetAddress> require(URI address) throws IOException {
        requireName(address);
        String host = host(address);
        List<InetAddress> found = List.of(InetAddress.getAllByName(host));
        boolean isLiteral = host.startsWith("[") || host.matches("[0-9.]+");
        for (InetAddress each : found) {
            if (hosts.isEmpty() && isRefused(each)) {
                throw refused();
            }
            if (!hosts.isEmpty() && !isLiteral && contains(METADATA, each.getAddress())) {
                throw new IOException("its name leads to the metadata of a cloud, or to its link; name the address"
                        + " itself under hosts in trust.json if that is right");
            }
        }
        return found;
    }

    private static IOException refused() {
        return new IOException(
                "its host is this machine, its link or the metadata of a cloud; name the host under hosts in trust.json if"
                        + " that is right");
    }

    private static boolean isRefused(InetAddress address) throws IOException {
        byte[] bytes = address.getAddress();
        boolean isTranslated = NAT64.contains(bytes); // the translator asks the IPv4 address in the last bytes
        byte[] asked = isTranslated ? Arrays.copyOfRange(bytes, 12, 16) : bytes;
        return contains(REFUSED, asked)
                || contains(METADATA, asked)
                || (isTranslated && contains(PRIVATE, asked))
                || isIsatap(bytes)
                || isOfThisMachine(asked);
    }

    /** Tells whether the address leads through a tunnel to the IPv4 address in its last bytes (RFC 5214). */
    private static boolean isIsatap(byte[] address) {
        return address.length == 16 && HexFormat.of().formatHex(address, 8, 12).matches("0[02]005efe");
    }

    private static boolean contains(List<Network> networks, byte[] address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }

    /** Tells whether this machine, a network of its loopback interface, or all machines of its link have an address. */
    private static boolean isOfThisMachine(byte[] address) throws IOException {
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            for (InterfaceAddress own : each.getInterfaceAddresses()) {
                byte[] bytes = own.getAddress().getAddress();
                InetAddress broadcast = own.getBroadcast();
                int bits = each.isLoopback() ? own.getNetworkPrefixLength() : bytes.length * Byte.SIZE;
                if (new Network(bytes, bits).contains(address)
                        || (broadcast != null && Arrays.equals(broadcast.getAddress(), address))) {
                    return true;
                }
            }
        }
        return false;
    }
}
