/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.protect.SendDecisions.SendDecision;
import org.signetmq.policy.PolicySet;

final class SendDecisionsTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // the clock overflows in each test
    private final SendDecisions decisions = new SendDecisions(now::get);
    private final Readiness.Ready ready = ready();
    private final ServerSession session = session();
    private final SendDecision.Subject subject = subject(session, "orders.eu");

    @BeforeEach
    void decide() {
        keep(ready, subject);
    }

    @Test
    void decision_isFoundForAnEqualAddress_andForNoOtherSubject() {
        assertThat(decisions.find(ready, subject(session, "orders.eu"))).isNotNull();

        assertThat(decisions.find(ready, subject(session, "orders.us"))).isNull();
        assertThat(decisions.find(ready, subject(session(), "orders.eu"))).isNull();
        assertThat(decisions.find(ready, new SendDecision.Subject(session, SimpleString.of("orders.eu"), false)))
                .isNull();
    }

    @Test
    void decision_isForgottenAfterTenSeconds() {
        now.addAndGet(SendDecisions.REMEMBER - 1);
        assertThat(decisions.find(ready, subject)).isNotNull();

        now.incrementAndGet();

        assertThat(decisions.find(ready, subject)).isNull();
    }

    @Test
    void stateLoadedAgain_forgetsAll_evenIfItIsEqual() {
        Readiness.Ready later = ready();
        assertThat(later).isEqualTo(ready);

        assertThat(decisions.find(later, subject)).isNull();
        keep(later, subject(session, "orders.us"));

        assertThat(decisions.find(later, subject)).isNull();
        assertThat(decisions.find(ready, subject)).isNull();
    }

    @Test
    void changedPermissions_forgetAll_andNothingIsRememberedForASecond() {
        decisions.onChange();
        assertThat(decisions.find(ready, subject)).isNull();

        now.addAndGet(SendDecisions.SETTLE - 1);
        keep(ready, subject);
        assertThat(decisions.find(ready, subject)).isNull();

        now.incrementAndGet();
        keep(ready, subject);
        assertThat(decisions.find(ready, subject)).isNotNull();
    }

    /** The answer may be that of the old permissions. */
    @Test
    void permissionsThatChangeWhileTheBrokerIsAsked_areNotRemembered() {
        SendDecisions.Generation before = decisions.generation(ready);
        decisions.onChange();
        now.addAndGet(SendDecisions.SETTLE);

        decisions.keep(before, subject, Optional.empty());

        assertThat(decisions.find(ready, subject)).isNull();
    }

    @Test
    void manyAddressesOfASession_areBounded() {
        int found = 0;
        for (int i = 0; i < 50_000; i++) {
            keep(ready, subject(session, "orders." + i));
        }
        for (int i = 0; i < 50_000; i++) {
            found += decisions.find(ready, subject(session, "orders." + i)) == null ? 0 : 1;
        }

        assertThat(found).isBetween(1, SendDecisions.PLACES);
    }

    /** Clients choose the length of addresses. */
    @Test
    void longAddress_isNotRemembered() {
        String longest = "o".repeat(AddressDecisions.LONGEST_ADDRESS);
        keep(ready, subject(session, longest));
        keep(ready, subject(session, longest + "o"));

        assertThat(decisions.find(ready, subject(session, longest))).isNotNull();
        assertThat(decisions.find(ready, subject(session, longest + "o"))).isNull();
    }

    @Test
    void sessionsThatAnswerManyClients_findMostOfTheirDecisions() {
        List<SendDecision.Subject> subjects = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            ServerSession service = session();
            for (int client = 0; client < 81; client++) {
                subjects.add(subject(service, "replies." + client));
            }
        }
        subjects.forEach(each -> keep(ready, each));

        assertThat(subjects.stream().filter(each -> decisions.find(ready, each) != null))
                .hasSizeGreaterThan(subjects.size() * 95 / 100);
    }

    private void keep(Readiness.Ready state, SendDecision.Subject about) {
        decisions.keep(decisions.generation(state), about, Optional.empty());
    }

    private static SendDecision.Subject subject(ServerSession session, String address) {
        return new SendDecision.Subject(session, SimpleString.of(address), true);
    }

    @SuppressWarnings("NullAway") // decisions do not read the home
    private static Readiness.Ready ready() {
        return new Readiness.Ready(PolicySet.EMPTY, List.of(), null, null, null);
    }

    /** A session that is compared by its identity, and never called. */
    private static ServerSession session() {
        return (ServerSession) Proxy.newProxyInstance(
                ServerSession.class.getClassLoader(),
                new Class<?>[] {ServerSession.class},
                (self, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}
