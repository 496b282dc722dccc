/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.internal.trust.RevocationUpdater.FetchLimits;

/** The copies on disk are bounded, and cost nothing but themselves if they cannot be written. */
final class RevocationCacheTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private static String name(int number) {
        return "%064x.crl".formatted(number);
    }

    @Test
    void filesBeyondTheLimit_go_theOldestFirst_andThoseOfOthersStay() throws Exception {
        Path own = Files.createDirectory(folder.resolve("revocation"));
        RevocationCache cache = new RevocationCache(own);
        for (int i = 0; i <= FetchLimits.TARGETS; i++) {
            Files.setLastModifiedTime(Files.createFile(own.resolve(name(i))), FileTime.fromMillis(1000L * i));
        }
        Files.setLastModifiedTime(Files.createFile(own.resolve("notes.txt")), FileTime.fromMillis(0));

        cache.write(name(9999), new byte[] {1, 2});

        try (Stream<Path> files = Files.list(own)) {
            assertThat(files).hasSize(FetchLimits.TARGETS + 1).contains(own.resolve("notes.txt"));
        }
        assertThat(own.resolve(name(0))).doesNotExist();
        assertThat(own.resolve(name(1))).doesNotExist();
        assertThat(cache.read(name(9999), 2)).hasValue(new byte[] {1, 2});
        assertThat(cache.read(name(9999), 1)).isEmpty();
    }

    /** The clock was ahead when they were written. They must not drive out each newer file. */
    @Test
    void filesFromTheFuture_goFirst() throws Exception {
        Path own = Files.createDirectory(folder.resolve("revocation"));
        RevocationCache cache = new RevocationCache(own);
        FileTime future = FileTime.from(Instant.now().plus(Duration.ofDays(365)));
        for (int i = 0; i < FetchLimits.TARGETS; i++) {
            Files.setLastModifiedTime(Files.createFile(own.resolve(name(i))), future);
        }

        cache.write(name(9998), new byte[] {1});
        cache.write(name(9999), new byte[] {2});

        assertThat(own.resolve(name(9998))).exists();
        assertThat(own.resolve(name(9999))).exists();
        try (Stream<Path> files = Files.list(own)) {
            assertThat(files).hasSize(FetchLimits.TARGETS);
        }
    }

    @Test
    void fileInPlaceOfTheFolder_isNoFailure() throws Exception {
        Path taken = Files.createFile(folder.resolve("revocation"));
        RevocationCache cache = new RevocationCache(taken);

        cache.write(name(1), new byte[] {1});

        assertThat(cache.read(name(1), 10)).isEmpty();
        assertThat(taken).isEmptyFile();
    }

    @Test
    void linkInPlaceOfACopy_isNotFollowed() throws Exception {
        Path own = Files.createDirectory(folder.resolve("revocation"));
        Path secret = Files.write(folder.resolve("secret"), new byte[] {7});
        Files.createSymbolicLink(own.resolve(name(1)), secret);
        RevocationCache cache = new RevocationCache(own);

        cache.write(name(1), new byte[] {1});

        assertThat(secret).hasBinaryContent(new byte[] {7});
    }
}
