/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

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

/** Keeps the warnings and errors of Signet for tests to read. SLF4J finds it as a service. */
public final class RecordingLogs implements SLF4JServiceProvider {
    private static final Queue<String> LINES = new ConcurrentLinkedQueue<>();

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter mdc = new NOPMDCAdapter();

    /** Made by SLF4J. */
    public RecordingLogs() {}

    static void forget() {
        LINES.clear();
    }

    /** The warnings and errors since {@link #forget()} that name an address, each with its level. */
    static List<String> linesOf(String address) {
        return linesWith("'" + address + "'");
    }

    /** Those since {@link #forget()} that have this text. */
    static List<String> linesWith(String text) {
        return LINES.stream().filter(line -> line.contains(text)).toList();
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> name.startsWith("org.signetmq") ? new Recorder(name) : NOPLogger.NOP_LOGGER;
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

        Recorder(String name) {
            this.name = name;
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
            if (level == Level.WARN || level == Level.ERROR) {
                LINES.add(level + " " + MessageFormatter.basicArrayFormat(pattern, arguments));
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
