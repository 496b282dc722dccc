/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CleanUpTest {
    private final List<String> closed = new ArrayList<>();

    @Test
    void resources_areClosedOnce_theLastFirst() {
        CleanUp cleanUp = new CleanUp();
        cleanUp.add(() -> closed.add("first"));
        cleanUp.add(() -> closed.add("last"));

        cleanUp.close();
        cleanUp.close();

        assertThat(closed).containsExactly("last", "first");
    }

    @Test
    void resourceThatFails_doesNotKeepTheOthersOpen() {
        CleanUp cleanUp = new CleanUp();
        cleanUp.add(() -> closed.add("first"));
        cleanUp.add(() -> {
            throw new IOException("x");
        });
        cleanUp.add(() -> closed.add("last"));

        cleanUp.close();

        assertThat(closed).containsExactly("last", "first");
    }

    @Test
    void addedResource_isReturned() {
        AutoCloseable resource = () -> closed.add("it");

        try (CleanUp cleanUp = new CleanUp()) {
            assertThat(cleanUp.add(resource)).isSameAs(resource);
        }

        assertThat(closed).containsExactly("it");
    }
}
