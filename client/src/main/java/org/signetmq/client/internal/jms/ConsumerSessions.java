/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.jms;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.opening.MessageOpening;
import org.signetmq.client.internal.provider.DirectConsumer;

/**
 * The provider's sessions behind one session in AUTO_ACKNOWLEDGE. Each serves one open consumer, because giving a
 * message back counts a delivery at each consumer of its session. Thread-safe.
 */
final class ConsumerSessions {
    private final SessionMaker sessions;
    private final DirectConsumer.Maker consumers;
    private final MessageOpening opening;
    private final ListenerGate.Listeners listeners = new ListenerGate.Listeners();
    private final List<Place> places = new ArrayList<>(); // guarded by this

    /** Makes a provider's session in AUTO_ACKNOWLEDGE. */
    interface SessionMaker {
        Session make() throws JMSException;
    }

    private static final class Place {
        private final Session session;
        private boolean taken;
        private @Nullable SessionSettlement settlement;

        Place(Session session) {
            this.session = session;
        }
    }

    /**
     * Begins with one session, which serves the first consumer.
     *
     * @param first the session that the application's session wraps
     * @param sessions makes sessions of the same kind as the first one
     */
    ConsumerSessions(Session first, SessionMaker sessions, DirectConsumer.Maker consumers, MessageOpening opening) {
        this.sessions = sessions;
        this.consumers = consumers;
        this.opening = opening;
        this.places.add(new Place(first));
    }

    /** Creates a consumer in a session that has none. */
    SignetMessageConsumer create(Destination destination, DirectConsumer.Creation creation) throws JMSException {
        Place place = take();
        DirectConsumer consumer = null;
        try {
            consumer = consumers.make(place.session, destination, creation);
            SessionSettlement settlement = new SessionSettlement(consumer, place.session, opening, listeners);
            Receiver receiver = new Receiver(
                    Receiver.Source.of(consumer, () -> free(place, settlement)),
                    opening.opener().source(destination),
                    settlement);
            serve(place, settlement);
            return new SignetMessageConsumer(consumer.consumer(), receiver);
        } catch (Throwable e) {
            try {
                if (consumer != null) {
                    consumer.consumer().close();
                }
            } finally {
                free(place, null);
            }
            throw e;
        }
    }

    private synchronized Place take() throws JMSException {
        places.get(0).session.getTransacted(); // throws if closed
        Place place = places.stream().filter(each -> !each.taken).findFirst().orElse(null);
        if (place == null) {
            place = new Place(sessions.make());
            places.add(place);
        }
        place.taken = true;
        return place;
    }

    private synchronized void serve(Place place, SessionSettlement settlement) {
        place.settlement = settlement;
    }

    /** Frees a place; a consumer that is closed twice must not free the place of the next one. */
    private synchronized void free(Place place, @Nullable SessionSettlement served) {
        if (place.settlement == served) {
            if (served != null) {
                served.release();
            }
            place.taken = false;
            place.settlement = null;
        }
    }

    /** Gives the unacknowledged messages of all consumers back. */
    void recover() throws JMSException {
        for (SessionSettlement settlement : settlements()) {
            settlement.recover();
        }
    }

    private synchronized List<SessionSettlement> settlements() {
        return places.stream()
                .flatMap(place -> Stream.ofNullable(place.settlement))
                .toList();
    }

    /** Closes all sessions but the first one, which its owner closes. It throws the first failure at the end. */
    void close() throws JMSException {
        settlements().forEach(SessionSettlement::release);
        JMSException first = null;
        for (Place place : further()) {
            try {
                place.session.close();
            } catch (JMSException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private synchronized List<Place> further() {
        return List.copyOf(places.subList(1, places.size()));
    }
}
