/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.epoch.KeyPregenerator;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;

/**
 * A cache of plans. A change of policy, certificate or trust applies to the next message. Patterns with variables have a
 * plan for each of their values, and the eldest of these go first: addresses are chosen by senders. Thread-safe.
 */
public final class SealingPlanCache implements AutoCloseable {
    /** The most plans of patterns with variables. */
    static final int MOST_BY_ADDRESS = 1024;

    private final RecipientDirectory directory;
    private final CertificateTrust trust;
    private final KeyPregenerator pregenerator;
    private final Map<Scope, SealingPlan> plans = new ConcurrentHashMap<>();
    /** The scopes with variables, the eldest first; guarded by this. */
    private final Deque<Scope> byAddress = new ArrayDeque<>();

    private boolean closed; // guarded by this

    /** The addresses with one plan: those of a pattern, or of values for its variables. */
    private record Scope(String pattern, Map<String, String> values) {
        static Scope of(EffectivePolicy policy) {
            return new Scope(policy.policy().pattern(), policy.values());
        }
    }

    public SealingPlanCache(RecipientDirectory directory, CertificateTrust trust, KeyPregenerator pregenerator) {
        this.directory = directory;
        this.trust = trust;
        this.pregenerator = pregenerator;
    }

    public SealingPlan of(EffectivePolicy policy) {
        SealingPlan plan = plans.get(Scope.of(policy));
        if (plan != null && plan.basis().isStill(policy, directory.version(), trust.version())) {
            return plan;
        }
        return renew(policy);
    }

    private synchronized SealingPlan renew(EffectivePolicy policy) {
        if (closed) {
            throw new IllegalStateException("sealer: used after close");
        }
        Scope scope = Scope.of(policy);
        SealingPlan last = plans.get(scope);
        SealingPlan.Basis basis = new SealingPlan.Basis(policy, directory.version(), trust.version());
        if (last != null && last.basis().isStill(policy, basis.directoryVersion(), basis.trustVersion())) {
            return last; // another thread was faster
        }
        SealingPlan next = SealingPlan.make(basis, directory, pregenerator, last);
        plans.put(scope, next);
        if (last != null && !last.sharesKeysWith(next)) {
            last.close();
        }
        if (last == null && !scope.values().isEmpty()) {
            byAddress.addLast(scope);
            if (byAddress.size() > MOST_BY_ADDRESS) {
                remove(byAddress.removeFirst());
            }
        }
        return next;
    }

    private void remove(Scope scope) {
        SealingPlan plan = plans.remove(scope);
        if (plan != null) {
            plan.close();
        }
    }

    /** Returns the number of plans. */
    int size() {
        return plans.size();
    }

    /** Wipes the keys of policies that this set does not apply unchanged, and of policies with changed recipients. */
    public synchronized void retain(PolicySet policies) {
        for (SealingPlan plan : List.copyOf(plans.values())) {
            EffectivePolicy policy = plan.basis().policy();
            if (!policies.applies(policy) || !isRenewed(policy)) {
                byAddress.remove(Scope.of(policy));
                remove(Scope.of(policy));
            }
        }
    }

    private boolean isRenewed(EffectivePolicy policy) {
        try {
            var unused = of(policy);
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
        plans.values().forEach(SealingPlan::close);
        plans.clear();
        byAddress.clear();
        pregenerator.close();
    }
}
