/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.backlog;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.signetmq.interceptor.internal.control.Authority;
import org.signetmq.interceptor.internal.control.ControlOperations;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.policy.PolicySet;

/**
 * Answers the operations of the control that judge a change and tell its consequences, by JSON. The text of the
 * consequences can be long, so the caller reads it in parts. Thread-safe.
 */
public final class ImpactOperations {
    /** The longest part, in characters. */
    static final int LONGEST_PART = 30_000;

    /** The greatest number of texts that are kept for their readers. */
    static final int MOST_KEPT = 4;

    private final Supplier<Readiness> readiness;
    private final PolicyImpact impact;
    private final Authority authority;
    private final ControlOperations policies;
    private final ReentrantLock counting = new ReentrantLock();
    private final Map<String, String> texts = new LinkedHashMap<>(); // guarded by itself

    /**
     * Makes the operations of a broker.
     *
     * @param policies judges the changes
     */
    public ImpactOperations(
            ActiveMQServer server, Supplier<Readiness> readiness, Authority authority, ControlOperations policies) {
        this.readiness = readiness;
        this.impact = new PolicyImpact(server);
        this.authority = authority;
        this.policies = policies;
    }

    /** Judges a policy, and tells its consequences. */
    public String judgeImpact(long version, String policy) {
        return policies.judgeImpact(version, policy, this::add);
    }

    /** Judges the removal of a policy, and tells its consequences. */
    public String judgeRemoval(long version, String pattern) {
        return policies.judgeRemoval(version, pattern, this::add);
    }

    /** Judges an uploaded document, and tells its consequences. */
    public String judgeImpacts(String upload) {
        return policies.judgeImpacts(upload, this::add);
    }

    /** Judges a rollback to former policies, and tells its consequences. */
    public String judgeRollback(long version, long former) {
        return policies.judgeRollback(version, former, this::add);
    }

    /** Returns a part of the consequences. */
    public String readImpact(String id, int offset) {
        authority.requireEdit("readImpact");
        String text;
        synchronized (texts) {
            text = texts.get(id);
        }
        if (text == null) {
            throw new IllegalArgumentException("no such judgement; later ones may have ended it; begin again");
        }
        if (offset < 0 || offset > text.length()) {
            throw new IllegalArgumentException("offset " + offset + ": must be from 0 to " + text.length());
        }
        return part(JsonNodeFactory.instance.objectNode(), text, offset).toString();
    }

    private void add(ObjectNode answer, PolicySet before, PolicySet after) {
        if (!(readiness.get() instanceof Readiness.Ready ready)) {
            answer.put("impact-problem", "the plugin is not ready, so it does not look at messages");
            return;
        }
        if (!counting.tryLock()) {
            answer.put("impact-problem", "another judgement looks at messages now; try again in some seconds");
            return;
        }
        try {
            String text = impact.of(before, after, ready.home(), answer.withArray("warnings")::add);
            part(answer.put("impact", keep(text)), text, 0);
        } catch (Exception e) {
            PluginLog.LOG.warn("the consequences of a change of policies could not be found out", e);
            answer.put("impact-problem", "internal error " + e.getClass().getName());
        } finally {
            counting.unlock();
        }
    }

    private String keep(String text) {
        String id = UUID.randomUUID().toString();
        synchronized (texts) {
            if (texts.size() >= MOST_KEPT) {
                texts.remove(texts.keySet().iterator().next());
            }
            texts.put(id, text);
        }
        return id;
    }

    private static ObjectNode part(ObjectNode answer, String text, int offset) {
        return answer.put("length", text.length())
                .put("offset", offset)
                .put("text", text.substring(offset, end(text, offset)));
    }

    /** Returns the end of the part from an offset. No part ends inside a character. */
    private static int end(String text, int offset) {
        int end = Math.min(offset + LONGEST_PART, text.length());
        return end > offset && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    }
}
