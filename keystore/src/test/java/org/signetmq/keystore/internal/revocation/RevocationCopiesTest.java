/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.revocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.keystore.internal.x509.TestCertificates.LEAF;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.internal.crl.Issued;
import org.signetmq.keystore.internal.crl.ListForge;
import org.signetmq.keystore.internal.x509.CertificateForge;
import org.signetmq.keystore.internal.x509.TestCertificates.Party;
import org.signetmq.keystore.trust.RevocationSettings;
import org.signetmq.keystore.trust.RevocationSettings.Failure;
import org.signetmq.keystore.trust.RevocationSettings.Source;
import org.signetmq.keystore.trust.RevocationSettings.WithoutSource;

/** No message decides without a copy that another thread is reading. */
final class RevocationCopiesTest {
    private static final Party ROOT = root("CN=Root");
    private static final Party OTHER_ROOT = root("CN=Other root");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private final RevocationTargets targets = targets();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    private static RevocationTargets targets() {
        RevocationTargets made = new RevocationTargets(Clock.fixed(NOW, ZoneOffset.UTC));
        made.use(new RevocationSettings(
                Source.FETCH, Source.OFF, Failure.SOFT, WithoutSource.REFUSE, Set.of(), Duration.ofSeconds(1)));
        return made;
    }

    /**
     * A clock for the reader of copies, which looks at it once for each copy. One look stops until the test goes on.
     */
    private static class StoppingClock extends Clock {
        final AtomicInteger looks = new AtomicInteger();
        final CountDownLatch twice = new CountDownLatch(2);
        final CountDownLatch stopped = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        private final int stop;

        StoppingClock(int stop) {
            this.stop = stop;
        }

        @Override
        public Instant instant() {
            twice.countDown();
            if (looks.incrementAndGet() == stop) {
                stopped.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return NOW;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private static Issued issued(Party root) {
        return issued(root, "");
    }

    private static Issued issued(Party root, String path) {
        GeneralName uri = new GeneralName(GeneralName.uniformResourceIdentifier, "http://lists.example.com/" + path);
        DistributionPoint point = new DistributionPoint(new DistributionPointName(new GeneralNames(uri)), null, null);
        Party made = CertificateForge.of("CN=party", root.pair())
                .usage(LEAF)
                .with(Extension.cRLDistributionPoints, false, new CRLDistPoint(new DistributionPoint[] {point}))
                .by(root)
                .make();
        return new Issued(made.certificate(), root.certificate());
    }

    private Map<RevocationTarget, RevocationFetch> unread(RevocationCache cache, Issued issued, Party root) {
        Map<RevocationTarget, RevocationFetch> wanted = targets.want(issued);
        wanted.keySet()
                .forEach(target -> cache.write(
                        target.fileName(issued),
                        ListForge.of(root, NOW.plusSeconds(60))
                                .revoking(issued.certificate().getSerialNumber())
                                .der()));
        return wanted;
    }

    @Test
    void messageDuringTheReadingOfFurtherCopies_seesTheFirstCopyOrWaits() throws Exception {
        StoppingClock clock = new StoppingClock(2);
        RevocationCache cache = new RevocationCache(Files.createDirectory(folder.resolve("revocation")));
        RevocationCopies copies = new RevocationCopies(cache, targets, clock);
        Issued first = issued(ROOT);
        Issued second = issued(OTHER_ROOT);
        Map<RevocationTarget, RevocationFetch> both = new LinkedHashMap<>(unread(cache, first, ROOT));
        both.putAll(unread(cache, second, OTHER_ROOT));
        assertThat(both).hasSize(2);
        CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> copies.read(both), threads);
        assertThat(clock.stopped.await(3, TimeUnit.MINUTES)).isTrue();

        Map<RevocationTarget, RevocationFetch> seen = targets.want(first);
        CompletableFuture<Boolean> message = CompletableFuture.supplyAsync(
                () -> {
                    copies.read(seen);
                    return targets.known().lists().hasListFor(first.certificate());
                },
                threads);
        if (seen.isEmpty()) { // it does not wait
            assertThat(message.get(3, TimeUnit.MINUTES)).isTrue();
        }
        clock.goOn.countDown();

        assertThat(message.get(3, TimeUnit.MINUTES)).isTrue();
        reader.get(3, TimeUnit.MINUTES);
        assertThat(targets.known().lists().hasListFor(second.certificate())).isTrue();
        assertThat(targets.want(first)).isEmpty();
        assertThat(clock.looks).as("each copy is read once").hasValue(2);
    }

    @Test
    void twoThreadsThatReadInOppositeOrder_bothEnd() throws Exception {
        RevocationCache cache = new RevocationCache(Files.createDirectory(folder.resolve("revocation")));
        StoppingClock clock = new StoppingClock(1);
        RevocationCopies copies = new RevocationCopies(cache, targets, clock);
        Map<RevocationTarget, RevocationFetch> one = new LinkedHashMap<>(unread(cache, issued(ROOT), ROOT));
        Map<RevocationTarget, RevocationFetch> other =
                new LinkedHashMap<>(unread(cache, issued(OTHER_ROOT), OTHER_ROOT));
        other.putAll(one);
        one.putAll(other);
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> copies.read(one), threads);
        assertThat(clock.stopped.await(3, TimeUnit.MINUTES)).isTrue();
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> copies.read(other), threads);
        assertThat(clock.twice.await(3, TimeUnit.MINUTES)).isTrue();

        clock.goOn.countDown();

        first.get(3, TimeUnit.MINUTES);
        second.get(3, TimeUnit.MINUTES);
    }

    @Test
    void moreCopiesThanABatch_areAllRead_andTheLastOneCounts() throws Exception {
        RevocationCache cache = new RevocationCache(Files.createDirectory(folder.resolve("revocation")));
        RevocationCopies copies = new RevocationCopies(cache, targets, Clock.fixed(NOW, ZoneOffset.UTC));
        List<Issued> many = IntStream.range(0, 70)
                .mapToObj(i -> issued(OTHER_ROOT, "list" + i))
                .toList();
        Map<RevocationTarget, RevocationFetch> all = new LinkedHashMap<>();
        many.forEach(each -> all.putAll(targets.want(each)));
        Issued last = issued(ROOT);
        all.putAll(unread(cache, last, ROOT));

        copies.read(all);

        assertThat(all).hasSize(71);
        assertThat(many).allSatisfy(each -> assertThat(targets.want(each)).isEmpty());
        assertThat(targets.known().lists().hasListFor(last.certificate())).isTrue();
    }

    @Test
    void failureOfTheReader_keepsNoMessageWaiting() throws Exception {
        RevocationCache cache = new RevocationCache(Files.createDirectory(folder.resolve("revocation")));
        RevocationCopies copies = new RevocationCopies(cache, targets, new StoppingClock(0) {
            @Override
            public Instant instant() {
                throw new IllegalStateException("of the test");
            }
        });
        Issued issued = issued(ROOT);
        Map<RevocationTarget, RevocationFetch> wanted = unread(cache, issued, ROOT);

        assertThatThrownBy(() -> copies.read(wanted)).hasMessage("of the test");

        copies.read(wanted);
        assertThat(targets.want(issued)).isEmpty();
    }
}
