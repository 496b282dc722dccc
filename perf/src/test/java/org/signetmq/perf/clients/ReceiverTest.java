/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Protection;
import org.signetmq.perf.setting.Setting;
import org.signetmq.perf.variant.KeyKind;
import org.signetmq.perf.variant.Payload;
import org.signetmq.perf.variant.Reuse;

final class ReceiverTest {
    private static final Setting SEALED = Setting.of(Protection.CONFIDENTIALITY, new Reuse("32"), KeyKind.P256);

    @Test
    void emptyPayload_isWhatJmsCallsNoBody() {
        assertThatCode(() -> receiver(Setting.NONE, 0).check(message(null, null)))
                .doesNotThrowAnyException();
        assertThatCode(() -> receiver(Setting.NONE, 0).check(message(new byte[0], null)))
                .doesNotThrowAnyException();
    }

    @Test
    void otherBodyThanSent_isRejected() {
        byte[] changed = Payload.ofSize(100);
        changed[99]++;

        for (byte[] body : new byte[][] {null, new byte[0], new byte[100], changed, Payload.ofSize(101)}) {
            assertThatExceptionOfType(JMSException.class)
                    .isThrownBy(() -> receiver(Setting.NONE, 100).check(message(body, null)))
                    .withMessage("message: not what was sent");
        }
        assertThatCode(() -> receiver(Setting.NONE, 100).check(message(Payload.ofSize(100), null)))
                .doesNotThrowAnyException();
    }

    @Test
    void messageOfAnotherKind_isRejected() {
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> receiver(Setting.NONE, 0).check(message(TextMessage.class, null, null)))
                .withMessage("message: not what was sent");
    }

    @Test
    void messageWithoutTheQualityOfItsSetting_isRejected() {
        assertThatCode(() -> receiver(SEALED, 0).check(message(null, "confidentiality")))
                .doesNotThrowAnyException();
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> receiver(SEALED, 0).check(message(null, "privacy")))
                .withMessage("message: should have confidentiality, found privacy");
        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(() -> receiver(SEALED, 0).check(message(null, null)))
                .withMessage("message: should have confidentiality, found null");
    }

    @Test
    void messageInTheMannerOfAms_isOpenedByTheCodec() throws Exception {
        Setting setting = Setting.of(Protection.AMS_CONFIDENTIALITY, new Reuse("32"), KeyKind.RSA2048);
        Load load = Load.of(1, 1, 100);
        Codec codec = new AmsCodec(setting);
        UnaryOperator<byte[]> sealer = codec.sealer("rr.0");
        Receiver receiver = new Receiver(millis -> null, setting, load, codec);

        for (int i = 0; i < 64; i++) {
            byte[] sealed = sealer.apply(Payload.ofSize(100));
            assertThatCode(() -> receiver.check(message(sealed, null))).doesNotThrowAnyException();
        }

        assertThat(codec.unwraps()).as("a key serves 32 messages").isEqualTo(2);
        assertThatExceptionOfType(IllegalStateException.class)
                .as("not sealed")
                .isThrownBy(() -> receiver.check(message(Payload.ofSize(100), null)));
    }

    @Test
    void noMessageInTime_isNull() throws Exception {
        assertThat(receiver(SEALED, 100).receive(1)).isNull();
    }

    private static Receiver receiver(Setting setting, int size) {
        return new Receiver(millis -> null, setting, Load.of(1, 1, size), Codec.NOTHING);
    }

    private static Message message(byte @Nullable [] body, @Nullable String quality) {
        return message(BytesMessage.class, body, quality);
    }

    private static Message message(Class<? extends Message> type, byte @Nullable [] body, @Nullable String quality) {
        return (Message) Proxy.newProxyInstance(
                ReceiverTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getName().equals("getBody") ? body : quality);
    }
}
