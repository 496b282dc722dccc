/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

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
 * The lines of Signet in the log, kept for tests to read. All other loggers are silent. Found by SLF4J as a service.
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

    public static void forget() {
        LINES.clear();
        OF_BROKER.clear();
    }

    /** Lets memory run out, or not any more, with each line about trouble. */
    static void exhaust(boolean from) {
        exhausted = from;
    }

    /** The lines since {@link #forget()}, each with its level and the text of its exception. */
    public static List<String> lines() {
        return List.copyOf(LINES);
    }

    /** The errors of the broker since {@link #forget()}, in the form of {@link #lines()}. */
    static List<String> linesOfBroker() {
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

        /** Of the broker only trouble is kept. */
        private boolean isKept(Level level) {
            return kept == LINES || level == Level.ERROR || level == Level.WARN;
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
            if (kept == LINES && exhausted && (level == Level.ERROR || level == Level.WARN)) {
                throw new OutOfMemoryError("of the test");
            }
            if (isKept(level)) {
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
