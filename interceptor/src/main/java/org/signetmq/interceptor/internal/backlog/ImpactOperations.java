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
import org.signetmq.interceptor.internal.control.ControlAnswers;
import org.signetmq.interceptor.internal.control.PolicyConsequences;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.policy.PolicySet;

/**
 * Tells the consequences of a change that was judged, by JSON. Their text can be long, so the caller reads it in parts.
 * Thread-safe.
 */
public final class ImpactOperations implements PolicyConsequences {
    /** The greatest number of texts that are kept for their readers. */
    static final int MOST_KEPT = 4;

    private final Supplier<Readiness> readiness;
    private final PolicyImpact impact;
    private final Authority authority;
    private final ReentrantLock counting = new ReentrantLock();
    private final Map<String, String> texts = new LinkedHashMap<>(); // guarded by itself

    /** Makes the operations of a broker. */
    public ImpactOperations(ActiveMQServer server, Supplier<Readiness> readiness, Authority authority) {
        this.readiness = readiness;
        this.impact = new PolicyImpact(server);
        this.authority = authority;
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
        return ControlAnswers.addPart(JsonNodeFactory.instance.objectNode(), text, offset)
                .toString();
    }

    @Override
    public void addTo(ObjectNode answer, PolicySet before, PolicySet after) {
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
            ControlAnswers.addPart(answer.put("impact", keep(text)), text, 0);
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
}
