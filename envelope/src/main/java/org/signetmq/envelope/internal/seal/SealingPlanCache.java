/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.KeyPregenerator;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;

/**
 * A cache of plans. A change of policy, certificate or trust applies to the next message. Patterns with variables have
 * a plan for each of their values, and the eldest of these go first: addresses are chosen by senders. A sender that
 * agrees on data keys with its own key has its own plans. Thread-safe.
 */
public final class SealingPlanCache implements AutoCloseable {
    /** The most plans of patterns with variables, or of senders. */
    static final int MOST_BY_VALUES = 1024;

    private final RecipientDirectory directory;
    private final CertificateTrust trust;
    private final KeyPregenerator pregenerator;
    /** The plans of patterns without variables, for all senders. */
    private final Map<String, SealingPlan> byPattern = new ConcurrentHashMap<>();

    private final Map<Scope, SealingPlan> byValues = new ConcurrentHashMap<>();
    /** The scopes of the plans by values, the eldest first; guarded by this. */
    private final Deque<Scope> eldest = new ArrayDeque<>();

    private boolean closed; // guarded by this

    /**
     * The addresses with one plan: those of a pattern that have these values for its variables.
     *
     * @param sender the name of the identity that agrees on the data keys; empty if ephemeral keys do
     */
    private record Scope(String pattern, Map<String, String> values, String sender) {
        static Scope of(EffectivePolicy policy, @Nullable Identity sender) {
            return new Scope(policy.policy().pattern(), policy.values(), sender == null ? "" : sender.name());
        }
    }

    public SealingPlanCache(RecipientDirectory directory, CertificateTrust trust, KeyPregenerator pregenerator) {
        this.directory = directory;
        this.trust = trust;
        this.pregenerator = pregenerator;
    }

    /** Returns the plan for messages that this identity seals. */
    public SealingPlan of(EffectivePolicy policy, Identity sealer) {
        return of(EnvelopeStructure.of(policy.policy()).isAgreed() ? sealer : null, policy);
    }

    private SealingPlan of(@Nullable Identity sender, EffectivePolicy policy) {
        SealingPlan plan = last(policy, sender);
        if (plan != null && plan.basis().isStill(policy, sender, directory.version(), trust.version())) {
            return plan;
        }
        return renew(policy, sender);
    }

    private synchronized SealingPlan renew(EffectivePolicy policy, @Nullable Identity sender) {
        if (closed) {
            throw new IllegalStateException("sealer: used after close");
        }
        SealingPlan last = last(policy, sender);
        SealingPlan.Basis basis = new SealingPlan.Basis(policy, sender, directory.version(), trust.version());
        if (last != null && last.basis().isStill(policy, sender, basis.directoryVersion(), basis.trustVersion())) {
            return last; // another thread was faster
        }
        SealingPlan next = SealingPlan.make(basis, directory, pregenerator, last);
        put(policy, sender, next);
        if (last != null && !last.sharesKeysWith(next)) {
            last.close();
        }
        return next;
    }

    private @Nullable SealingPlan last(EffectivePolicy policy, @Nullable Identity sender) {
        return isOfPattern(policy, sender)
                ? byPattern.get(policy.policy().pattern())
                : byValues.get(Scope.of(policy, sender));
    }

    private static boolean isOfPattern(EffectivePolicy policy, @Nullable Identity sender) {
        return sender == null && policy.values().isEmpty();
    }

    private void put(EffectivePolicy policy, @Nullable Identity sender, SealingPlan plan) {
        if (isOfPattern(policy, sender)) {
            byPattern.put(policy.policy().pattern(), plan);
            return;
        }
        Scope scope = Scope.of(policy, sender);
        if (byValues.put(scope, plan) == null) {
            eldest.addLast(scope);
        }
        if (eldest.size() > MOST_BY_VALUES) {
            SealingPlan removed = byValues.remove(eldest.removeFirst());
            if (removed != null) {
                removed.close();
            }
        }
    }

    private void remove(SealingPlan plan) {
        EffectivePolicy policy = plan.basis().policy();
        Identity sender = plan.basis().sender();
        if (isOfPattern(policy, sender)) {
            byPattern.remove(policy.policy().pattern());
        } else {
            Scope scope = Scope.of(policy, sender);
            byValues.remove(scope);
            eldest.remove(scope);
        }
        plan.close();
    }

    private List<SealingPlan> plans() {
        return Stream.concat(byPattern.values().stream(), byValues.values().stream())
                .toList();
    }

    /** Returns the number of plans. */
    int size() {
        return byPattern.size() + byValues.size();
    }

    /** Wipes the keys of policies that this set does not apply unchanged, and of policies with changed recipients. */
    public synchronized void retain(PolicySet policies) {
        for (SealingPlan plan : plans()) {
            EffectivePolicy policy = plan.basis().policy();
            if (!policies.applies(policy) || !isRenewed(policy, plan.basis().sender())) {
                remove(plan);
            }
        }
    }

    private boolean isRenewed(EffectivePolicy policy, @Nullable Identity sender) {
        try {
            var unused = of(sender, policy);
            return true;
        } catch (RuntimeException unusable) {
            return false; // its next message gets the exception
        }
    }

    public KeyPregenerator pregenerator() {
        return pregenerator;
    }

    @Override
    public synchronized void close() {
        closed = true;
        plans().forEach(SealingPlan::close);
        byPattern.clear();
        byValues.clear();
        eldest.clear();
        pregenerator.close();
    }
}
