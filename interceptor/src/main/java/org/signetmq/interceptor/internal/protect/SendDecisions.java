/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.apache.activemq.artemis.core.settings.HierarchicalRepositoryChangeListener;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.protect.MessageSealer.ProtectionRequest;

/**
 * Remembers decisions about sessions and addresses. It forgets all of them when the policies or the state of the plugin
 * change, and when the broker's permissions change. Keys are found at each message. It forgets each one after a while,
 * because the roles of a user may change outside of the broker. Until then the plugin may seal a message in vain: the
 * broker asks for the permission at each message. Thread-safe.
 */
public final class SendDecisions implements HierarchicalRepositoryChangeListener {
    /** The greatest number of remembered decisions, a power of two. A further one replaces another. */
    static final int PLACES = 1 << 13;

    /** The places for decisions of equal hash. A service that answers many clients needs a decision for each. */
    private static final int NEIGHBOURS = 4;

    /** Longer than the broker remembers permissions, which it checks itself: a service has thousands of decisions. */
    static final long REMEMBER = TimeUnit.MINUTES.toNanos(1);

    /** The time in which the broker's own memory of permissions notices a change. */
    static final long SETTLE = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    private volatile Generation current;

    /** The decisions under one state of the plugin and of the broker's permissions. */
    static final class Generation {
        private final Readiness.@Nullable Ready ready;
        private final long opening;
        private final AtomicReferenceArray<@Nullable SendDecision> places = new AtomicReferenceArray<>(PLACES);

        private Generation(Readiness.@Nullable Ready ready, long opening) {
            this.ready = ready;
            this.opening = opening;
        }

        @SuppressWarnings("ReferenceEquality") // an equal state may be a later one
        private boolean isOf(Readiness.Ready other) {
            return ready == other;
        }

        private @Nullable SendDecision find(SendDecision.Subject subject, LongSupplier nanoTime) {
            int first = first(subject);
            for (int place = first; place < first + NEIGHBOURS; place++) {
                SendDecision found = places.get(place);
                if (found != null && found.isAbout(subject) && nanoTime.getAsLong() - found.until() < 0) {
                    return found;
                }
            }
            return null;
        }

        /** Keeps a decision in a free place, or in place of the one that ends first. */
        private void keep(SendDecision decision, int first) {
            int chosen = first;
            long least = Long.MAX_VALUE;
            for (int place = first; place < first + NEIGHBOURS; place++) {
                SendDecision other = places.get(place);
                long left = other == null ? Long.MIN_VALUE : other.until() - decision.until();
                if (left < least) {
                    least = left;
                    chosen = place;
                }
            }
            places.set(chosen, decision);
        }

        private static int first(SendDecision.Subject subject) {
            return subject.hash() & (PLACES - NEIGHBOURS);
        }
    }

    SendDecisions(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.current = new Generation(null, nanoTime.getAsLong());
    }

    /** Returns the remembered decision; null if there is none. */
    @Nullable
    SendDecision find(Readiness.Ready ready, SendDecision.Subject subject) {
        Generation now = current;
        return now.isOf(ready) ? now.find(subject, nanoTime) : null;
    }

    /** Returns the generation of decisions that are made from now on. The caller asks for it before it decides. */
    Generation generation(Readiness.Ready ready) {
        Generation now = current;
        if (now.isOf(ready)) {
            return now;
        }
        synchronized (this) {
            if (!current.isOf(ready)) {
                current = new Generation(ready, current.opening);
            }
            return current;
        }
    }

    /** Remembers a decision of a generation, unless the generation is over or the address is long. */
    void keep(Generation generation, SendDecision.Subject subject, Optional<ProtectionRequest> request) {
        long now = nanoTime.getAsLong();
        if (now - generation.opening >= 0 && subject.given().length() <= AddressDecisions.LONGEST_ADDRESS) {
            generation.keep(new SendDecision(subject, request, now + REMEMBER), Generation.first(subject));
        }
    }

    /**
     * Forgets all decisions. It remembers none for a second, because the plugin asks the broker's own memory of
     * permissions, which may hear of the change later.
     */
    @Override
    public synchronized void onChange() {
        current = new Generation(null, nanoTime.getAsLong() + SETTLE);
    }

    /**
     * The decision about messages of one session to one address: the session may send, and this is how its messages are
     * protected. It keeps no session in memory.
     *
     * @param given the address as the client wrote it
     * @param secured whether the broker's security is on
     * @param request the request to protect a message; empty if messages pass unchanged
     * @param until the end of the validity, in nanoseconds of the monotonic clock
     */
    public record SendDecision(
            WeakReference<ServerSession> session,
            SimpleString given,
            boolean secured,
            Optional<ProtectionRequest> request,
            long until) {
        SendDecision(Subject subject, Optional<ProtectionRequest> request, long until) {
            this(new WeakReference<>(subject.session()), subject.given(), subject.secured(), request, until);
        }

        /**
         * The subject of a decision.
         *
         * @param given the address as the client wrote it
         * @param secured whether the broker's security is on
         */
        record Subject(ServerSession session, SimpleString given, boolean secured) {
            int hash() {
                int hash = 31 * System.identityHashCode(session) + given.hashCode();
                return hash ^ hash >>> 16;
            }
        }

        boolean isAbout(Subject subject) {
            return session.refersTo(subject.session()) && secured == subject.secured() && given.equals(subject.given());
        }
    }
}
