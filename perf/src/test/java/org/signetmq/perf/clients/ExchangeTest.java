/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import jakarta.jms.BytesMessage;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.signetmq.perf.process.Readings;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Load.Producers;
import org.signetmq.perf.setting.Load.Style;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;
import org.signetmq.testkit.Tier;

/** Requests and replies through a broker in this process. */
@Tag(Tier.LONG)
final class ExchangeTest {
    private static final Setting SEALED = Setting.of(Protection.PRIVACY, Reuse.NONE, KeyKind.P256);

    static Load[] loads() {
        return new Load[] {
            Load.of(1, 1, 100),
            Load.of(5, 2, 0),
            new Load(3, 3, 2048, new Style(Producers.ANONYMOUS, 0, Integer.MAX_VALUE)),
            new Load(2, 1, 5000, new Style(Producers.NAMED, -1, 4096))
        };
    }

    @ParameterizedTest
    @MethodSource("loads")
    void requests_areAnswered_untilTheyRest(Load load) throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Participants participants = new Participants(broker.connections(), Codec.NOTHING);
            participants.connect("0", Setting.NONE, load);
            participants.start(0, 50);

            Result measured = participants.measure(200);

            participants.rest();
            participants.end();
            assertThat(measured.number(Participants.ROUND_TRIPS)).isGreaterThanOrEqualTo(1);
            assertThat(measured.number(Participants.SECONDS)).isGreaterThanOrEqualTo(0.2);
            assertThat(measured.number("p50_us")).isPositive().isLessThanOrEqualTo(measured.number("p99_us"));
            assertThat(measured.number("p99_us")).isLessThanOrEqualTo(measured.number("p999_us"));
            assertThat(measured.number(Participants.UNWRAPS)).isZero();
            assertThat(measured.number(Readings.CPU)).isPositive();
        }
    }

    @Test
    void pacedRequests_keepTheirRate() throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Participants participants = new Participants(broker.connections(), Codec.NOTHING);
            participants.connect("0", Setting.NONE, Load.of(4, 1, 100));
            participants.start(0, 500); // Java compiles the code

            participants.rest();
            participants.start(100, 100);
            Result measured = participants.measure(1_000);
            participants.rest();
            participants.end();

            double rate = measured.number(Participants.ROUND_TRIPS) / measured.number(Participants.SECONDS);
            assertThat(rate).isCloseTo(100, within(15.0));
        }
    }

    @Test
    void participantsAtRest_sendNothing_andStartAgain() throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Participants participants = new Participants(broker.connections(), Codec.NOTHING);
            participants.connect("0", Setting.NONE, Load.of(2, 1, 100));
            for (int i = 0; i < 3; i++) {
                participants.start(0, 20);
                assertThat(participants.measure(20).number(Participants.ROUND_TRIPS))
                        .isPositive();
                participants.rest();
            }
            participants.end();
        }
    }

    @Test
    void messageWithoutProtection_failsTheLoad() throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Participants participants = new Participants(broker.connections(), Codec.NOTHING);
            participants.connect("0", SEALED, Load.of(2, 1, 100));

            assertThatIllegalStateException()
                    .isThrownBy(() -> participants.start(0, TimeUnit.MINUTES.toMillis(5)))
                    .withMessage("message: should have privacy, found null");
            assertThatIllegalStateException().isThrownBy(participants::rest);
            participants.end();
        }
    }

    @Test
    void replyToAnotherRequest_failsTheLoad() throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Session session = broker.session();
            BytesMessage stray = session.createBytesMessage();
            stray.writeBytes(Payload.ofSize(100));
            stray.setJMSCorrelationID("0-77");
            session.createProducer(session.createQueue("rr.0.reply.0")).send(stray);
            Participants participants = new Participants(broker.connections(), Codec.NOTHING);
            participants.connect("0", Setting.NONE, Load.of(1, 1, 100));

            assertThatIllegalStateException()
                    .isThrownBy(() -> participants.start(0, TimeUnit.MINUTES.toMillis(5)))
                    .withMessage("requester 0-0: reply to another request");
            participants.end();
        }
    }

    @Test
    void brokenConnections_failTheLoadAtOnce() throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Participants participants = new Participants(broker.connections(), Codec.NOTHING);
            participants.connect("0", Setting.NONE, Load.of(2, 1, 100));
            participants.start(0, 20);

            broker.disconnectAll();

            assertThatIllegalStateException().isThrownBy(() -> participants.measure(TimeUnit.MINUTES.toMillis(5)));
            participants.end();
        }
    }

    @Test
    void exchanges_haveAddressesOfTheirOwn() throws Exception {
        try (TestBroker broker = new TestBroker()) {
            Session session = broker.session();
            Participants participants = new Participants(broker.connections(), Codec.NOTHING);
            participants.connect("7", Setting.NONE, Load.of(2, 2, 0));
            try (MessageConsumer own = session.createConsumer(session.createQueue("reply"))) {
                Sender sender = new Sender(session, Load.of(1, 1, 0), Codec.NOTHING);
                for (int queue = 0; queue < 2; queue++) {
                    sender.send(
                            session.createQueue("rr.7.request." + queue),
                            "mine-" + queue,
                            session.createQueue("reply"));
                    assertThat(own.receive(180_000).getJMSCorrelationID()).isEqualTo("mine-" + queue);
                }
            }
            participants.end();
        }
    }
}
