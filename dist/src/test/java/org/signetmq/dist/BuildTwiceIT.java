/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.testkit.Run;

/** A second build of the release, from a copy of the sources. */
final class BuildTwiceIT {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @Test
    void buildElsewhere_inAnotherZoneAndLanguage_makesTheSameBytes() throws Exception {
        Path copy = Files.createDirectories(folder.resolve("another place"));
        Run.of(
                        TOP,
                        List.of(
                                "sh",
                                "-c",
                                "git ls-files -z --cached --others --exclude-standard | tar c --null -T - | tar x -C '"
                                        + copy + "'"))
                .ok();

        Run.of(
                        copy,
                        List.of(
                                "sh",
                                "-c",
                                "exec mvn -B -q -Pdist,quick -pl dist -am package"
                                        + " -Dmaven.javadoc.skip -Dmaven.source.skip"),
                        Map.of("TZ", "Asia/Tokyo", "LC_ALL", "C", "MAVEN_OPTS", "-Duser.language=tr"))
                .ok();

        for (String archive : List.of("signet-%s.tar.gz", "signet-%s.zip", "signet_%s_all.deb", "SHA256SUMS")) {
            String name = archive.formatted(Release.VERSION);
            assertThat(Run.of(
                                    "cmp",
                                    copy.resolve("dist/target").resolve(name).toString(),
                                    Release.TARGET.resolve(name).toString())
                            .out())
                    .as(name)
                    .isEmpty();
        }
    }
}
