/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.signetmq.keystore.internal.x509.TestCertificates.LEAF;
import static org.signetmq.keystore.internal.x509.TestCertificates.NOW;
import static org.signetmq.keystore.internal.x509.TestCertificates.root;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    private static RevocationUpdater sources(RevocationCache cache) {
        RevocationUpdater made =
                new RevocationUpdater(cache, Clock.fixed(NOW, ZoneOffset.UTC), RevocationUpdater.Mode.BY_HAND);
        made.use(new RevocationSettings(
                Source.FETCH, Source.OFF, Failure.SOFT, WithoutSource.REFUSE, Set.of(), Duration.ofSeconds(1)));
        return made;
    }

    /** A cache that stops at one reading until the test goes on. */
    private final class StoppingCache extends RevocationCache {
        final AtomicInteger reads = new AtomicInteger();
        final CountDownLatch twice = new CountDownLatch(2);
        final CountDownLatch stopped = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        private final int stop;

        StoppingCache(int stop) {
            super(folder.resolve("revocation"));
            this.stop = stop;
        }

        @Override
        Optional<byte[]> read(String name, int mostBytes) {
            twice.countDown();
            if (reads.incrementAndGet() == stop) {
                stopped.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return super.read(name, mostBytes);
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

    private List<RevocationUpdater.Source> unread(
            RevocationUpdater sources, RevocationCache cache, Issued issued, Party root) {
        List<RevocationUpdater.Source> wanted = sources.wanted(issued);
        wanted.forEach(source -> cache.write(
                source.fileName(),
                ListForge.of(root, NOW.plusSeconds(60))
                        .revoking(issued.certificate().getSerialNumber())
                        .der()));
        return wanted;
    }

    @BeforeEach
    void makeFolder() throws IOException {
        Files.createDirectory(folder.resolve("revocation"));
    }

    @Test
    void messageDuringTheReadingOfFurtherCopies_seesTheFirstCopyOrWaits() throws Exception {
        StoppingCache cache = new StoppingCache(2);
        RevocationUpdater sources = sources(cache);
        Issued first = issued(ROOT);
        Issued second = issued(OTHER_ROOT);
        List<RevocationUpdater.Source> both = new ArrayList<>(unread(sources, cache, first, ROOT));
        both.addAll(unread(sources, cache, second, OTHER_ROOT));
        assertThat(both).hasSize(2);
        CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> sources.readCopies(both), threads);
        assertThat(cache.stopped.await(3, TimeUnit.MINUTES)).isTrue();

        List<RevocationUpdater.Source> seen = sources.wanted(first);
        CompletableFuture<Boolean> message = CompletableFuture.supplyAsync(
                () -> {
                    sources.readCopies(seen);
                    return sources.known().lists().hasListFor(first.certificate());
                },
                threads);
        if (seen.isEmpty()) { // it does not wait
            assertThat(message.get(3, TimeUnit.MINUTES)).isTrue();
        }
        cache.goOn.countDown();

        assertThat(message.get(3, TimeUnit.MINUTES)).isTrue();
        reader.get(3, TimeUnit.MINUTES);
        assertThat(sources.known().lists().hasListFor(second.certificate())).isTrue();
        assertThat(sources.wanted(first)).isEmpty();
        assertThat(cache.reads).as("each copy is read once").hasValue(2);
    }

    @Test
    void messageThatNeedsTheCopyThatIsBeingRead_waitsForIt() throws Exception {
        StoppingCache cache = new StoppingCache(1);
        RevocationUpdater sources = sources(cache);
        Issued issued = issued(ROOT);
        List<RevocationUpdater.Source> wanted = unread(sources, cache, issued, ROOT);
        CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> sources.readCopies(wanted), threads);
        assertThat(cache.stopped.await(3, TimeUnit.MINUTES)).isTrue();

        CompletableFuture<Boolean> message = CompletableFuture.supplyAsync(
                () -> {
                    sources.readCopies(sources.wanted(issued));
                    return sources.known().lists().hasListFor(issued.certificate());
                },
                threads);
        cache.goOn.countDown();

        assertThat(message.get(3, TimeUnit.MINUTES)).isTrue();
        reader.get(3, TimeUnit.MINUTES);
        assertThat(cache.reads).hasValue(1);
    }

    @Test
    void twoThreadsThatReadInOppositeOrder_bothEnd() throws Exception {
        StoppingCache cache = new StoppingCache(1);
        RevocationUpdater sources = sources(cache);
        List<RevocationUpdater.Source> one = new ArrayList<>(unread(sources, cache, issued(ROOT), ROOT));
        List<RevocationUpdater.Source> other = new ArrayList<>(unread(sources, cache, issued(OTHER_ROOT), OTHER_ROOT));
        other.addAll(one);
        one.add(other.get(0));
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> sources.readCopies(one), threads);
        assertThat(cache.stopped.await(3, TimeUnit.MINUTES)).isTrue();
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> sources.readCopies(other), threads);
        assertThat(cache.twice.await(3, TimeUnit.MINUTES)).isTrue();

        cache.goOn.countDown();

        first.get(3, TimeUnit.MINUTES);
        second.get(3, TimeUnit.MINUTES);
    }

    @Test
    void manyCopies_areAllRead_andTheLastOneCounts() throws Exception {
        RevocationCache cache = new RevocationCache(folder.resolve("revocation"));
        RevocationUpdater sources = sources(cache);
        List<Issued> many = IntStream.range(0, 70)
                .mapToObj(i -> issued(OTHER_ROOT, "list" + i))
                .toList();
        List<RevocationUpdater.Source> all = new ArrayList<>();
        many.forEach(each -> all.addAll(sources.wanted(each)));
        Issued last = issued(ROOT);
        all.addAll(unread(sources, cache, last, ROOT));

        sources.readCopies(all);

        assertThat(all).hasSize(71);
        assertThat(many).allSatisfy(each -> assertThat(sources.wanted(each)).isEmpty());
        assertThat(sources.known().lists().hasListFor(last.certificate())).isTrue();
    }

    @Test
    void failureOfTheReader_keepsNoMessageWaiting() throws Exception {
        RevocationUpdater sources = sources(new RevocationCache(folder.resolve("revocation")) {
            @Override
            Optional<byte[]> read(String name, int mostBytes) {
                throw new IllegalStateException("of the test");
            }
        });
        Issued issued = issued(ROOT);
        List<RevocationUpdater.Source> wanted = sources.wanted(issued);

        assertThatThrownBy(() -> sources.readCopies(wanted)).hasMessage("of the test");

        sources.readCopies(wanted);
        assertThat(sources.wanted(issued)).isEmpty();
    }
}
