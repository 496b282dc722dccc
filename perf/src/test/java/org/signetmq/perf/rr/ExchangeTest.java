/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.variant.Variant;

final class ExchangeTest {
    @Test
    void emptyPayload_isWhatJmsCallsNoBody() {
        assertThatCode(() -> exchangeOf(0).check(message(null))).doesNotThrowAnyException();
        assertThatCode(() -> exchangeOf(0).check(message(new byte[0]))).doesNotThrowAnyException();
    }

    @Test
    void otherBodyThanSent_isRejected() {
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> exchangeOf(1).check(message(null)))
                .withMessageContaining("not what was sent");
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> exchangeOf(0).check(message(new byte[1])))
                .withMessageContaining("not what was sent");
    }

    @Test
    void messageWithoutTheQualityOfItsVariant_isRejected() {
        Exchange sealed = new Exchange(new Block(Figured.LIMITED, new Load(1, 1, 0), 0, 0), new Watch());

        assertThatCode(() -> sealed.check(message(null, "confidentiality"))).doesNotThrowAnyException();
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> sealed.check(message(null, "privacy")))
                .withMessage("message: should have CONFIDENTIALITY, found privacy");
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> sealed.check(message(null, null)))
                .withMessage("message: should have CONFIDENTIALITY, found null");
    }

    @Test
    void messageWithoutProtection_mayHaveAnyQuality() {
        assertThatCode(() -> exchangeOf(0).check(message(null, "privacy"))).doesNotThrowAnyException();
    }

    private static Exchange exchangeOf(int size) {
        return new Exchange(new Block(Variant.UNPROTECTED, new Load(1, 1, size), 0, 0), new Watch());
    }

    private static BytesMessage message(byte @Nullable [] body) {
        return message(body, null);
    }

    private static BytesMessage message(byte @Nullable [] body, @Nullable String quality) {
        return (BytesMessage) Proxy.newProxyInstance(
                ExchangeTest.class.getClassLoader(),
                new Class<?>[] {BytesMessage.class},
                (proxy, method, arguments) -> method.getName().equals("getBody") ? body : quality);
    }
}
