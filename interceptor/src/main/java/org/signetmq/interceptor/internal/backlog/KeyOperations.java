/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.EnvelopeParties;
import org.signetmq.interceptor.internal.control.Authority;
import org.signetmq.interceptor.internal.control.ControlAnswers;
import org.signetmq.interceptor.internal.log.PluginLog;

/**
 * Answers the operations of the control that tell which keys the messages in queues need, by JSON. A query goes on
 * while its caller asks for it, and waits between the calls. Thread-safe.
 */
public final class KeyOperations implements AutoCloseable {
    /** The greatest number of queries that are kept for their callers. */
    static final int MOST_KEPT = 4;

    /** The time without a call after which a query ends. */
    private static final long LONGEST_SILENCE = TimeUnit.MINUTES.toNanos(1);

    private static final Pattern BLANKS = Pattern.compile(" +");

    private final ActiveMQServer server;
    private final Authority authority;
    private final Map<String, Kept> queries = new LinkedHashMap<>(); // guarded by this
    private boolean watched;
    private boolean closed;

    /** A query, and its answer if it has ended. */
    private static final class Kept {
        private final KeyUseQuery query;
        private @Nullable String text;
        private long asked = System.nanoTime();

        private Kept(KeyUseQuery query) {
            this.query = query;
        }
    }

    /** Makes the operations of a broker. */
    public KeyOperations(ActiveMQServer server, Authority authority) {
        this.server = server;
        this.authority = authority;
    }

    /** Begins a query, and returns its identifier. */
    public synchronized String queryKeyUse(String keys) {
        authority.requireView("queryKeyUse");
        if (closed) {
            throw new IllegalStateException("the plugin has stopped");
        }
        Set<String> wanted = wanted(keys);
        while (queries.size() >= MOST_KEPT) {
            Iterator<Kept> eldest = queries.values().iterator();
            eldest.next().query.close();
            eldest.remove();
        }
        String id = UUID.randomUUID().toString();
        Kept begun = new Kept(new KeyUseQuery(server, wanted, KeyUseQuery.Limits.DEFAULT));
        queries.put(id, begun);
        endSilentLater();
        return progress(id, begun).put("done", false).toString();
    }

    private static Set<String> wanted(String keys) {
        if (keys.length() > ControlAnswers.LONGEST_PART) {
            throw new IllegalArgumentException("keys: more than " + ControlAnswers.LONGEST_PART + " characters");
        }
        return BLANKS.splitAsStream(keys.strip())
                .filter(name -> name.length() <= EnvelopeParties.LONGEST_NAME)
                .collect(Collectors.toSet());
    }

    /** Reads on for some seconds, or returns a part of the answer if the query has ended. */
    public synchronized String listKeyUse(String id, int offset) throws InterruptedException {
        authority.requireView("listKeyUse");
        Kept kept = queries.get(id);
        if (kept == null) {
            throw new IllegalArgumentException(
                    "no such query; later ones or a long silence may have ended it; begin again");
        }
        kept.asked = System.nanoTime();
        String text = kept.text;
        if (text == null && kept.query.step()) {
            kept.query.close();
            text = kept.query.answer();
            kept.text = text;
        }
        kept.asked = System.nanoTime();
        ObjectNode answer = progress(id, kept).put("done", text != null);
        return (text == null ? answer : ControlAnswers.addPart(answer, text, offset)).toString();
    }

    private static ObjectNode progress(String id, Kept kept) {
        return kept.query.writeProgress(ControlAnswers.empty().put("query", id));
    }

    private void endSilentLater() {
        if (watched) {
            return;
        }
        try {
            var unused = server.getScheduledPool().schedule(this::endSilent, LONGEST_SILENCE, TimeUnit.NANOSECONDS);
            watched = true;
        } catch (RejectedExecutionException e) {
            PluginLog.LOG.debug("the broker stops", e);
        }
    }

    private synchronized void endSilent() {
        watched = false;
        Iterator<Kept> all = queries.values().iterator();
        boolean goesOn = false;
        while (all.hasNext()) {
            Kept next = all.next();
            if (next.text == null && System.nanoTime() - next.asked >= LONGEST_SILENCE) {
                next.query.close();
                all.remove();
            } else {
                goesOn |= next.text == null;
            }
        }
        if (goesOn && !closed) {
            endSilentLater();
        }
    }

    /** Ends all queries. */
    @Override
    public synchronized void close() {
        closed = true;
        queries.values().forEach(kept -> kept.query.close());
        queries.clear();
    }
}
