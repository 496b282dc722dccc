/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.signetmq.keystore.home.Password;
import org.signetmq.testkit.Tier;

/**
 * Every producer of a JMS library with every consumer, as {@link ParityIT}. Here the producer seals its messages, and
 * the broker accepts no others.
 */
final class ProducerParityIT extends ParityIT {
    /** Two that use the provider's own factory, and one that without Signet is longer than a record of the journal. */
    private static final Set<String> OTHERS =
            Set.of("CORE compressed text", "CORE names of other protocols", "CORE TEXT of 92160 bytes");

    private final Password password = Keys.password();
    private final List<SignetConnectionFactory> factories = new ArrayList<>();

    @Override
    TestBroker sending() {
        return broker.through(factory -> {
            SignetConnectionFactory sealing = SignetConnectionFactory.open(factory, keys.folder, "bob", password);
            factories.add(sealing);
            return sealing;
        });
    }

    @Override
    String quality() {
        return "client.privacy";
    }

    @AfterAll
    void closeFactories() {
        factories.forEach(SignetConnectionFactory::close);
        password.close();
    }

    /** All of them; each tenth in the short tier. */
    static Stream<Letter> letters() {
        List<Letter> all = JmsLetters.all()
                .filter(letter -> !OTHERS.contains(letter.name()))
                .toList();
        int step = Tier.isLong() ? 1 : 10;
        return IntStream.range(0, all.size()).filter(index -> index % step == 0).mapToObj(all::get);
    }
}
