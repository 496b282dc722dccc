/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.status;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.audit.AuditLog;
import org.signetmq.interceptor.internal.audit.RejectionReason;
import org.signetmq.interceptor.internal.home.CryptoService;
import org.signetmq.interceptor.internal.home.PolicyJudge.PolicyFinding;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.status.PluginStatus.LargeMessages.Mode;
import org.signetmq.interceptor.internal.status.PluginStatus.State;
import org.signetmq.policy.QualityOfProtection;

/** Counts the messages by their outcome. Thread-safe. */
public final class Counters {
    /** The number of messages of a thread for each one that is timed. A clock costs more than a count. */
    private static final int SAMPLED = 64;

    /** The number of messages that each thread has sealed since the last one that was timed. */
    private static final ThreadLocal<int[]> UNTIMED = ThreadLocal.withInitial(() -> new int[1]);

    private final Map<QualityOfProtection, LongAdder> sealed = adders(QualityOfProtection.class);
    private final LongAdder sealedBytes = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private final Map<RejectionReason, LongAdder> rejected = adders(RejectionReason.class);
    private final LongAdder unjudged = new LongAdder();
    private volatile @Nullable LongConsumer sealTimes;

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> kinds) {
        Map<E, LongAdder> adders = new EnumMap<>(kinds);
        for (E kind : kinds.getEnumConstants()) {
            adders.put(kind, new LongAdder());
        }
        return adders;
    }

    private static <E> LongAdder of(Map<E, LongAdder> adders, E kind) {
        return Objects.requireNonNull(adders.get(kind));
    }

    public void countSealed(QualityOfProtection quality) {
        of(sealed, quality).increment();
    }

    /** Returns the number of messages that were sealed with this quality. */
    public long sealed(QualityOfProtection quality) {
        return of(sealed, quality).sum();
    }

    /** Counts the payload of a sealed message. */
    public void countSealedBytes(long bytes) {
        sealedBytes.add(bytes);
    }

    /** Returns the bytes of payload that were sealed. */
    public long sealedBytes() {
        return sealedBytes.sum();
    }

    /** Sets the receiver of the nanoseconds that the sealing of some messages took; null for no receiver. */
    public void timeSealing(@Nullable LongConsumer receiver) {
        sealTimes = receiver;
    }

    /** Returns the start of a message that is timed; 0 for most messages. */
    public long beginSealing() {
        if (sealTimes == null) {
            return 0;
        }
        int[] untimed = UNTIMED.get();
        untimed[0] = (untimed[0] + 1) % SAMPLED;
        return untimed[0] == 0 ? System.nanoTime() : 0;
    }

    /** Reports the time since this start, unless the message is not timed. */
    public void endSealing(long begun) {
        LongConsumer receiver = begun == 0 ? null : sealTimes;
        if (receiver != null) {
            receiver.accept(System.nanoTime() - begun);
        }
    }

    public void countPassed() {
        passed.increment();
    }

    /** Returns the number of messages that passed unchanged. */
    public long passed() {
        return passed.sum();
    }

    public void countRejected(RejectionReason reason) {
        of(rejected, reason).increment();
    }

    /** Returns the number of messages that were rejected for this kind of reason. */
    public long rejected(RejectionReason reason) {
        return of(rejected, reason).sum();
    }

    /** Counts a clear message for a protected address that reached the storage unjudged. */
    public void countUnjudged() {
        unjudged.increment();
    }

    /** Returns the number of clear messages that reached the storage unjudged. */
    public long unjudged() {
        return unjudged.sum();
    }

    /**
     * Returns the status of the plugin with these counts.
     *
     * @param largeProblem the reason why large messages are rejected, or null
     */
    public PluginStatus status(Readiness readiness, @Nullable String largeProblem) {
        PluginStatus.LargeMessages large =
                new PluginStatus.LargeMessages(largeProblem == null ? Mode.PROTECTED : Mode.REFUSED, largeProblem);
        if (readiness instanceof Readiness.Ready ready) {
            String problems = problems(ready);
            return new PluginStatus(
                    problems == null ? State.READY : State.DEGRADED,
                    problems,
                    new PluginStatus.Policies(ready.policies().version(), ready.policyProblem(), ready.findings()),
                    large,
                    counts(ready.home().crypto()));
        }
        String reason = readiness instanceof Readiness.Unavailable unavailable ? unavailable.reason() : null;
        return new PluginStatus(State.FAILED, reason, PluginStatus.Policies.NONE, large, counts(null));
    }

    /** Returns the problems of a plugin that protects some messages and rejects others; null if there are none. */
    private static @Nullable String problems(Readiness.Ready ready) {
        List<String> parts = new ArrayList<>();
        if (ready.policyProblem() != null) {
            parts.add("the changed policy file cannot be used, version "
                    + ready.policies().version() + " stays in force");
        }
        if (ready.trustProblem() != null) {
            parts.add("trust: " + ready.trustProblem());
        }
        List<PolicyFinding> findings =
                ready.findings().stream().filter(PolicyFinding::isFailure).toList();
        if (!findings.isEmpty()) {
            long policies =
                    findings.stream().map(PolicyFinding::pattern).distinct().count();
            parts.add(policies + " of " + ready.policies().policies().size() + " policies cannot be applied");
        }
        return parts.isEmpty() ? null : String.join("; ", parts);
    }

    private PluginStatus.Counts counts(@Nullable CryptoService crypto) {
        return new PluginStatus.Counts(
                sum(sealed),
                passed.sum(),
                sum(rejected),
                unjudged.sum(),
                crypto == null ? 0 : crypto.begunKeys(),
                crypto == null ? 0 : crypto.dryTakes());
    }

    private static long sum(Map<?, LongAdder> adders) {
        return adders.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /**
     * The records of messages.
     *
     * @param counters counts them
     * @param audit writes lines about some of them
     */
    public record MessageRecords(Counters counters, AuditLog audit) {}
}
