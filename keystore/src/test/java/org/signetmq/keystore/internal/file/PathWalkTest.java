/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.keystore.KeystoreUnusableException;

final class PathWalkTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path temporary;

    private Path top = Path.of("unset");
    private final List<String> ways = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();

    private final PathWalk walk = new PathWalk(new PathWalk.Visitor() {
        @Override
        public void step(Path path, UnixAttributes attributes) {
            ways.add(below(path));
        }

        @Override
        public void end(Path path, UnixAttributes attributes) {
            ends.add(below(path));
        }
    });

    @BeforeEach
    void resolveTop() throws IOException {
        top = temporary.toRealPath();
    }

    private String below(Path path) {
        return path.startsWith(top) ? top.relativize(path).toString() : "";
    }

    private List<String> waysBelow() {
        return ways.stream().filter(way -> !way.isEmpty()).toList();
    }

    @Test
    void plainPath_isJudgedFromTheRootToItsEnd() throws IOException {
        Path file = Files.createDirectories(top.resolve("a/b")).resolve("c");
        Files.writeString(file, "");

        walk.walk(file);

        assertThat(waysBelow()).containsExactly("a", "a/b");
        assertThat(ends).containsExactly("a/b/c");
        assertThat(ways).hasSize(file.getNameCount());
    }

    @Test
    void linkOnTheWay_isJudgedItself_andThenItsTarget() throws IOException {
        Files.createDirectories(top.resolve("real/inner"));
        Files.createSymbolicLink(top.resolve("link"), Path.of("real"));

        walk.walk(top.resolve("link/inner"));

        assertThat(waysBelow()).containsExactly("link", "real");
        assertThat(ends).containsExactly("real/inner");
    }

    @Test
    void linkAtTheEnd_isAWayToItsTarget() throws IOException {
        Files.createDirectories(top.resolve("real"));
        Files.writeString(top.resolve("real/file"), "");
        Files.createSymbolicLink(top.resolve("link"), top.resolve("real/file"));

        walk.walk(top.resolve("link"));

        assertThat(waysBelow()).containsExactly("link", "real");
        assertThat(ends).containsExactly("real/file");
    }

    @Test
    void parentInALink_isTheParentOfItsTarget() throws IOException {
        Files.createDirectories(top.resolve("one/two"));
        Files.writeString(top.resolve("one/file"), "");
        Files.createSymbolicLink(top.resolve("link"), Path.of("one/two"));

        walk.walk(top.resolve("link/../file"));

        assertThat(ends).containsExactly("one/file");
    }

    @Test
    void dotsAndParents_areTaken() throws IOException {
        Files.createDirectories(top.resolve("a"));
        Files.writeString(top.resolve("file"), "");

        walk.walk(top.resolve("./a/../file"));

        assertThat(ends).containsExactly("file");
    }

    @Test
    void parentsAboveTheRoot_stayAtTheRoot() throws IOException {
        walk.walk(Path.of("/../../.." + top));

        assertThat(ends).containsExactly("");
    }

    @Test
    void absentEnd_isNoError_andJudgedNot() throws IOException {
        Files.createDirectories(top.resolve("a"));

        walk.walk(top.resolve("a/b/c"));

        assertThat(waysBelow()).containsExactly("a");
        assertThat(ends).isEmpty();
    }

    @Test
    void wayOfTwoPaths_isJudgedOnce() throws IOException {
        Files.createDirectories(top.resolve("a"));
        Files.writeString(top.resolve("a/one"), "");
        Files.writeString(top.resolve("a/two"), "");

        walk.walk(top.resolve("a/one"));
        walk.walk(top.resolve("a/two"));

        assertThat(waysBelow()).containsExactly("a");
        assertThat(ends).containsExactly("a/one", "a/two");
    }

    @Test
    void linksInACircle_end() throws IOException {
        Files.createSymbolicLink(top.resolve("a"), Path.of("b"));
        Files.createSymbolicLink(top.resolve("b"), Path.of("a"));

        assertThatThrownBy(() -> walk.walk(top.resolve("a")))
                .isInstanceOf(KeystoreUnusableException.class)
                .hasMessage(top.resolve("a") + ": too many links");
    }

    @Test
    void fortyLinks_areFollowed_andOneMoreIsNot() throws IOException {
        Files.writeString(top.resolve("end"), "");
        Path target = Path.of("end");
        for (int i = 1; i <= 41; i++) {
            Path link = Path.of("link" + i);
            Files.createSymbolicLink(top.resolve(link), target);
            target = link;
        }

        walk.walk(top.resolve("link40"));

        assertThat(ends).containsExactly("end");
        assertThatThrownBy(() -> walk.walk(top.resolve("link41"))).isInstanceOf(KeystoreUnusableException.class);
    }

    @Test
    void objectionOfTheJudge_endsTheWalk() {
        PathWalk strict = new PathWalk((path, facts) -> {
            throw new IOException("no");
        });

        assertThatThrownBy(() -> strict.walk(top))
                .isInstanceOf(IOException.class)
                .hasMessage("no");
    }
}
