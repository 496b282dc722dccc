/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.Policy;

/** Opens messages inside the array of a client library, one after the other. */
final class OpeningBufferTest {
    private static final String ADDRESS = "news.europe";
    private static final String OTHER_ADDRESS = "news.asia";
    private static final byte[] PAYLOAD = "hello".getBytes(UTF_8);

    @RegisterExtension
    static Parties parties = new Parties();

    private static Identity bob = parties.identity("bob");

    /** One of each quality that seals. */
    static List<Policy> policies() {
        return List.of(
                Policy.integrity("news.#"),
                Policy.confidentiality("news.#", List.of("bob"), KeyLimits.DEFAULT),
                Policy.privacy("news.#", List.of("bob")));
    }

    private static byte[] sealed(Policy policy, String address, String sender) {
        return parties.seal(
                new ClearMessage(address, ClearMessage.Body.TEXT, PAYLOAD, sender, Map.of()),
                Parties.policies(policy),
                bob);
    }

    private static byte[] segmented(Policy policy) throws Exception {
        ClearMessage head = ClearMessage.of(ADDRESS, ClearMessage.Body.TEXT, new byte[0]);
        return Parties.joined(parties.segments(head, Parties.effective(policy), bob, new byte[100_000]));
    }

    private static Opener opener(Policy policy) {
        return parties.opener(List.of(bob), Parties.policies(policy));
    }

    /** An array with these bytes in its middle. */
    private static byte[] around(byte[] bytes) {
        byte[] array = new byte[bytes.length + 9];
        Arrays.fill(array, (byte) 0x30);
        System.arraycopy(bytes, 0, array, 6, bytes.length);
        return array;
    }

    /** The bytes in the middle of such an array. */
    private static ByteBuffer inside(byte[] array) {
        return ByteBuffer.wrap(array, 2, array.length - 2).slice().position(4).limit(array.length - 5);
    }

    private static void assertOpened(Opener opener, byte[] sealed) {
        byte[] array = around(sealed);
        byte[] before = array.clone();
        ByteBuffer buffer = inside(array);

        OpenedMessage opened = opener.open(buffer, ADDRESS);

        assertThat(array).isEqualTo(before);
        assertThat(buffer.remaining()).isEqualTo(sealed.length);
        Arrays.fill(array, (byte) 0); // the result keeps no part of it
        assertThat(opened)
                .usingRecursiveComparison()
                .withEqualsForType(Arrays::equals, byte[].class)
                .isEqualTo(opener.open(sealed, ADDRESS));
        assertThat(opener.open(inside(around(sealed)).asReadOnlyBuffer(), ADDRESS)
                        .payload())
                .isEqualTo(opened.payload());
    }

    @ParameterizedTest
    @MethodSource("policies")
    void messageInsideAnArray_isOpenedAsItsBytes(Policy policy) throws Exception {
        try (Opener opener = opener(policy)) {
            assertOpened(opener, sealed(policy, ADDRESS, "alice"));
            assertOpened(opener, segmented(policy));
            assertThat(opener.sealedAddress(inside(around(sealed(policy, ADDRESS, "alice")))))
                    .contains(ADDRESS);
            assertThat(opener.sealedAddress(inside(around(segmented(policy))))).contains(ADDRESS);
        }
    }

    @Test
    void messageInClearInsideAnArray_isCopied() {
        try (Opener opener = parties.opener(List.of(bob), Parties.policies())) {
            assertOpened(opener, PAYLOAD);
            assertThat(opener.sealedAddress(inside(around(PAYLOAD)))).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void messagesOfSeveralAddressesAndSenders_eachIsOpenedForItself(Policy policy) {
        try (Opener opener = opener(policy)) {
            for (int i = 0; i < 20; i++) {
                String address = i % 5 < 2 ? OTHER_ADDRESS : ADDRESS;
                String sender = "sender-" + i % 3;
                byte[] sealed = sealed(policy, address, sender);

                Entity entity = opener.open(ByteBuffer.wrap(sealed), address)
                        .entityIfProtected()
                        .orElseThrow();

                assertThat(entity.address()).isEqualTo(address);
                assertThat(entity.sender()).contains(sender);
                String wrong = address.equals(ADDRESS) ? OTHER_ADDRESS : ADDRESS;
                assertThatThrownBy(() -> opener.open(ByteBuffer.wrap(sealed), wrong))
                        .isInstanceOf(AddressMismatchException.class);
            }
        }
    }
}
