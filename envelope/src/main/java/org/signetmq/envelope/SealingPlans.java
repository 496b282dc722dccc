/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.signetmq.keystore.CertificateTrust;
import org.signetmq.keystore.KeyPregenerator;
import org.signetmq.keystore.PregenerationSettings;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.policy.EffectivePolicy;

/** The plan of each policy in use. A change of policy, certificate or trust shows at the next message. Thread-safe. */
final class SealingPlans implements AutoCloseable {
    private final RecipientDirectory directory;
    private final CertificateTrust trust;
    private final KeyPregenerator pregenerator;
    private final Map<String, SealingPlan> byPattern = new ConcurrentHashMap<>();
    private boolean closed; // guarded by this

    SealingPlans(RecipientDirectory directory, CertificateTrust trust, PregenerationSettings settings) {
        this.directory = directory;
        this.trust = trust;
        this.pregenerator = new KeyPregenerator(settings, System::nanoTime);
    }

    SealingPlan of(EffectivePolicy policy) {
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
        dropOlderThan(policy.version());
        return next;
    }

    /** Policies that went leave no keys behind; those that stayed come back with their next message. */
    private void dropOlderThan(long version) {
        for (Map.Entry<String, SealingPlan> entry : new HashMap<>(byPattern).entrySet()) {
            if (entry.getValue().basis().policy().version() < version) {
                byPattern.remove(entry.getKey());
                entry.getValue().close();
            }
        }
    }

    KeyPregenerator pregenerator() {
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
