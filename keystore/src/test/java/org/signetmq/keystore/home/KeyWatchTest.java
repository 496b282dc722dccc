/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.IdentityStore.IdentityKeys;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.keys.SoftwareKey;
import org.signetmq.testkit.Tier;

/** The thread that checks for keys outside of the process, without a token or a service. */
final class KeyWatchTest {
    private static final IdentityKeys FIRST = keys();

    private static final Duration SECOND = Duration.ofSeconds(1);

    private static IdentityKeys keys() {
        Party alice = CertificateForge.of("CN=alice").make();
        SoftwareKey key = new SoftwareKey(alice.pair().getPrivate(), CryptoProviders.jdk());
        return new IdentityKeys(new Identity("alice", key, List.of(alice.certificate())), List.of(), List.of());
    }

    @Test
    void check_thatHangs_stopsNoOtherThread_andEndsWithTheWatch() throws Exception {
        CountDownLatch checking = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        KeyWatch watch = new KeyWatch("alice", FIRST, SECOND, before -> {
            checking.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                ended.countDown();
                Thread.currentThread().interrupt();
            }
            return before;
        });
        assertThat(checking.await(3, TimeUnit.MINUTES)).isTrue();

        assertThat(watch.current()).isEqualTo(FIRST.all());
        assertThat(watch.afterMiss()).isSameAs(watch.current());
        watch.close();

        assertThat(ended.await(3, TimeUnit.MINUTES)).isTrue();
        assertThat(watch.current()).isEqualTo(FIRST.all());
    }

    @Tag(Tier.LONG)
    @Test
    void check_thatFails_leavesTheKeys_andIsRepeated() {
        IdentityKeys next = keys();
        AtomicInteger checks = new AtomicInteger();
        AtomicInteger otherChecks = new AtomicInteger();
        try (KeyWatch watch = new KeyWatch("alice", FIRST, SECOND, before -> {
                    if (checks.incrementAndGet() == 1) {
                        throw new KeystoreUnusableException("token 't': not there");
                    }
                    return next;
                });
                KeyWatch other = new KeyWatch("alice", FIRST, SECOND, before -> {
                    if (otherChecks.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("test");
                    }
                    return next;
                })) {
            await().until(() -> checks.get() == 1 && otherChecks.get() == 1);
            assertThat(watch.current()).isEqualTo(FIRST.all());
            assertThat(other.current()).isEqualTo(FIRST.all());
            await().until(() -> watch.current().equals(next.all()));
            await().until(() -> other.current().equals(next.all()));
        }
    }
}
