/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How Java runs the broker and the clients.
 *
 * @param recordings where each leaves a flight recording, or null
 */
record ChildOptions(@Nullable Path recordings) {
    private static final List<String> OF_ALL = List.of(
            "-Xms1g",
            "-Xmx1g",
            "-Djava.awt.headless=true",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-Dorg.slf4j.simpleLogger.log.org.apache.activemq=error");

    List<String> of(String process) {
        List<String> options = new ArrayList<>(OF_ALL);
        if (recordings != null) {
            options.add("-Xlog:jfr+startup=off"); // it would speak where the process gives its answers
            options.add("-XX:StartFlightRecording=settings=profile,filename=" + recordings.resolve(process + ".jfr"));
        }
        return options;
    }
}
