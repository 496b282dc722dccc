/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;

/**
 * The exchange of requests and replies under one load. Each participant has a connection and a thread of its own.
 *
 * @param name tells the addresses of exchanges apart
 * @param latencies of round trips in microseconds, from the time at which the pace wants the request
 */
record Exchange(String name, Setting setting, Load load, Codec codec, Gate gate, Recorder latencies) implements Work {
    private static final int PATIENCE_MILLIS = 30_000;

    @Override
    public List<Callable<Void>> participants(Connections connections) throws JMSException {
        int mode = Fetch.sessionMode(load.style().limits().buffer());
        List<Callable<Void>> all = new ArrayList<>();
        for (int i = 0; i < load.responders(); i++) {
            all.add(responder(connections.connect(load.queueOf(i), mode), i));
        }
        for (int i = 0; i < load.clients(); i++) {
            all.add(requester(connections.connect(load.queueOf(i), mode), i));
        }
        return all;
    }

    /** Returns a requester: it asks and waits for the answer, until all is over. */
    private Callable<Void> requester(Session session, int number) throws JMSException {
        Queue requests = requestQueue(session, number);
        Queue replyTo = session.createQueue("rr." + name + ".reply." + number);
        Receiver receiver = receiver(session, replyTo);
        Sender sender = new Sender(session, load, codec);
        return () -> {
            Gate.@Nullable Pace last = null;
            long due = 0;
            long sent = 0;
            for (Gate.Pace pace = gate.awaitPace(); pace != null; pace = gate.awaitPace()) {
                if (pace.interval() == 0) {
                    due = System.nanoTime();
                } else {
                    due = pace.equals(last) ? due + (long) (pace.interval() * load.clients()) : pace.first(number);
                    parkUntil(due);
                }
                last = pace;
                String correlation = number + "-" + sent++;
                sender.send(requests, correlation, replyTo);
                checkReply(receiver, correlation);
                latencies.recordValue(
                        Math.min(Participants.LONGEST_MICROS, Math.max(0, (System.nanoTime() - due) / 1_000)));
            }
            return null;
        };
    }

    private static void parkUntil(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void checkReply(Receiver receiver, String correlation) throws JMSException {
        Message reply = receiver.receive(PATIENCE_MILLIS);
        if (reply == null) {
            throw new JMSException("requester " + correlation + ": no reply within " + PATIENCE_MILLIS + " ms");
        }
        if (!correlation.equals(reply.getJMSCorrelationID())) {
            throw new JMSException("requester " + correlation + ": reply to another request");
        }
    }

    /** Returns a responder: it answers all requests on its queue until its connection is closed. */
    private Callable<Void> responder(Session session, int number) throws JMSException {
        Receiver receiver = receiver(session, requestQueue(session, number));
        Sender sender = new Sender(session, load, codec);
        return () -> {
            for (Message request = receiver.receive(0); request != null; request = receiver.receive(0)) {
                sender.send((Queue) request.getJMSReplyTo(), request.getJMSCorrelationID(), null);
            }
            if (!gate.isOver()) {
                throw new JMSException("responder " + number + ": its connection was closed");
            }
            return null;
        };
    }

    private Receiver receiver(Session session, Queue queue) throws JMSException {
        return new Receiver(Fetch.from(session, queue, load.style().limits().buffer()), setting, load, codec);
    }

    private Queue requestQueue(Session session, int number) throws JMSException {
        return session.createQueue("rr." + name + ".request." + load.queueOf(number));
    }
}
