/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refuses this machine, its link and the metadata of clouds in each form of their addresses. */
final class AddressRuleTest {
    private static final AddressRule ANY = new AddressRule(Set.of());

    static Stream<String> addressesOfThisMachineLinkOrCloud() {
        return Stream.of("""
                127.0.0.1 127.1 127.255.255.254 2130706433 0.0.0.0 0 0.1.2.3 localhost LOCALHOST. a.localhost [::1]
                [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1]
                [2002:7f00:1::1] [2002:a00:1::1] [2002:a9fe:a9fe::] [2002:808:808::1] [2001:0:808:808::1]
                [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b::10.0.0.1] [64:ff9b::6464:64c8] [64:ff9b:1::1]
                [2001:0:7f00:1::1] [2001:0:808:808:0:0:80ff:fffe] [2001:0:808:808:0:0:f5ff:fffe]
                [2001:db8::5efe:127.0.0.1] [2001:db8::200:5efe:192.168.1.1] [2001:db8::5efe:169.254.169.254]
                255.255.255.255 240.0.0.1 224.0.0.1 [ff02::1] 169.254.1.1 169.254.169.254 2852039166
                [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [fe80::1] [fec0::1] [fd00:ec2::254] [fd20:ce::254]
                [fc00::1] [fd12:3456::1] 100.100.100.200 [::ffff:100.100.100.200] 168.63.129.16 192.0.0.192
                192.0.0.8 metadata.google.internal Metadata.Google.Internal. metadata instance-data.ec2.internal
                """.split("\\s+"));
    }

    @ParameterizedTest
    @MethodSource("addressesOfThisMachineLinkOrCloud")
    void addressOfThisMachineLinkOrCloud_isRefused(String host) {
        URI address = URI.create("http://" + host + "/list.crl");

        if (AddressRule.isWellFormed(address)) {
            assertThatThrownBy(() -> ANY.require(address))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("this machine, its link");
        } else {
            assertThatThrownBy(() -> ANY.require(address)).hasMessageContaining("not plain http with a host");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8.8.8.8",
                "10.1.2.3",
                "100.100.100.201",
                "192.0.1.1",
                "[2001:4860:4860::8888]",
                "[64:ff9b::808:808]"
            })
    void otherAddress_isTheOneThatIsReturned(String host) throws Exception {
        assertThat(ANY.require(URI.create("http://" + host + "/"))).containsExactly(InetAddress.getByName(host));
    }

    @Test
    void addressesOfTheInterfaces_areRefused() throws Exception {
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            for (InterfaceAddress own : each.getInterfaceAddresses()) {
                assertRefused(own.getAddress());
                if (own.getBroadcast() != null) {
                    assertRefused(own.getBroadcast());
                }
            }
        }
    }

    private static void assertRefused(InetAddress address) {
        String text = address.getHostAddress().replaceFirst("%.*", "");
        URI uri = URI.create("http://" + (address instanceof Inet6Address ? "[" + text + "]" : text) + "/");
        assertThatThrownBy(() -> ANY.require(uri)).as("%s", uri).hasMessageContaining("this machine, its link");
    }

    @Test
    void namedHost_isAllowed_butItsNameDoesNotLeadToTheMetadata() {
        AddressRule named = new AddressRule(Set.of("127.0.0.1", "localhost", "169.254.169.254", "[fd00:ec2::254]"));

        for (String host : named.hosts()) {
            assertThatCode(() -> named.require(URI.create("http://" + host + "/")))
                    .as(host)
                    .doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> named.require(URI.create("http://127.0.0.2/")))
                .hasMessageContaining("not among the hosts");
    }
}
