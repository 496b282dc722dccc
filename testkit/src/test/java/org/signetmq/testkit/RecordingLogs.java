/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.testkit;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPLogger;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Keeps the lines of Signet, and the broker's warnings and errors, for tests to read. All other loggers are silent.
 * SLF4J finds it as a service that the resources of a module name.
 */
public final class RecordingLogs implements SLF4JServiceProvider {
    private static final Queue<String> LINES = new ConcurrentLinkedQueue<>();
    private static final Queue<String> OF_BROKER = new ConcurrentLinkedQueue<>();
    private static final String BROKER = "org.apache.activemq.artemis.core.server";
    private static volatile boolean exhausted;

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter mdc = new NOPMDCAdapter();

    /** Made by SLF4J. */
    public RecordingLogs() {}

    /** Forgets all lines. */
    public static void forget() {
        LINES.clear();
        OF_BROKER.clear();
    }

    /** Lets memory run out, or not any more, with each warning or error of Signet. */
    public static void exhaust(boolean from) {
        exhausted = from;
    }

    /**
     * Returns the lines of Signet since {@link #forget()}, each with its level and the text of its exception or null.
     */
    public static List<String> lines() {
        return List.copyOf(LINES);
    }

    /** Returns the warnings and errors of Signet that name an address, in the form of {@link #lines()}. */
    public static List<String> troubleOf(String address) {
        return troubleWith("'" + address + "'");
    }

    /** Returns the warnings and errors of Signet that have a text, in the form of {@link #lines()}. */
    public static List<String> troubleWith(String text) {
        return LINES.stream()
                .filter(line -> line.matches("(?s)(WARN|ERROR) .*") && line.contains(text))
                .toList();
    }

    /** Returns the warnings and errors of the broker, in the form of {@link #lines()}. */
    public static List<String> linesOfBroker() {
        return List.copyOf(OF_BROKER);
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> name.startsWith("org.signetmq")
                ? new Recorder(name, LINES)
                : name.equals(BROKER) ? new Recorder(name, OF_BROKER) : NOPLogger.NOP_LOGGER;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return mdc;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {
        // nothing to set up
    }

    private static final class Recorder extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1L;

        private final transient Queue<String> kept;

        Recorder(String name, Queue<String> kept) {
            this.name = name;
            this.kept = kept;
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            boolean trouble = level == Level.ERROR || level == Level.WARN;
            if (kept == LINES && exhausted && trouble) {
                throw new OutOfMemoryError("of the test");
            }
            if (kept == LINES || trouble) {
                kept.add(level + " " + MessageFormatter.basicArrayFormat(pattern, arguments) + " " + thrown);
            }
        }

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }
    }
}
