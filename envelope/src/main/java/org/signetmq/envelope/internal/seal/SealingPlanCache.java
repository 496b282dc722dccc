/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.epoch.KeyPregenerator;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.PolicySet;

/** A cache of plans. A change of policy, certificate or trust applies to the next message. Thread-safe. */
public final class SealingPlanCache implements AutoCloseable {
    private final RecipientDirectory directory;
    private final CertificateTrust trust;
    private final KeyPregenerator pregenerator;
    private final Map<String, SealingPlan> byPattern = new ConcurrentHashMap<>();
    private boolean closed; // guarded by this

    public SealingPlanCache(RecipientDirectory directory, CertificateTrust trust, KeyPregenerator pregenerator) {
        this.directory = directory;
        this.trust = trust;
        this.pregenerator = pregenerator;
    }

    public SealingPlan of(EffectivePolicy policy) {
        SealingPlan plan = byPattern.get(policy.policy().pattern());
        if (plan != null && plan.basis().isStill(policy, directory.version(), trust.version())) {
            return plan;
        }
        return renew(policy);
    }

    private synchronized SealingPlan renew(EffectivePolicy policy) {
        if (closed) {
            throw new IllegalStateException("sealer: used after close");
        }
        String pattern = policy.policy().pattern();
        SealingPlan last = byPattern.get(pattern);
        SealingPlan.Basis basis = new SealingPlan.Basis(policy, directory.version(), trust.version());
        if (last != null && last.basis().isStill(policy, basis.directoryVersion(), basis.trustVersion())) {
            return last; // another thread was faster
        }
        SealingPlan next = SealingPlan.make(basis, directory, pregenerator, last);
        byPattern.put(pattern, next);
        if (last != null && !last.sharesKeysWith(next)) {
            last.close();
        }
        return next;
    }

    /** Wipes the keys of policies that this set does not apply unchanged, and of policies with changed recipients. */
    public synchronized void retain(PolicySet policies) {
        for (SealingPlan plan : List.copyOf(byPattern.values())) {
            EffectivePolicy policy = plan.basis().policy();
            if (!policies.applies(policy) || !isRenewed(policy)) {
                byPattern.remove(policy.policy().pattern());
                plan.close();
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
        byPattern.values().forEach(SealingPlan::close);
        byPattern.clear();
        pregenerator.close();
    }
}
