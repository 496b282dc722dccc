/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.signetmq.policy.QualityOfProtection;

/** A plugin that is taken out of a running broker. */
@Timeout(60)
final class UnregisteredIT {
    @TempDir
    private Path folder;

    @Test
    void messageOnItsWay_isRefused_andItsRestIsNotWrittenInClear() throws Exception {
        TestBroker.Setup setup = new TestBroker.Setup(folder);
        setup.homes().policies(LargeBodies.policies(QualityOfProtection.PRIVACY));
        try (TestBroker broker = setup.start();
                DiskWatch watch = new DiskWatch(broker.disk(), LargeBodies.MARK);
                QueueReader reader = new QueueReader(broker).queue("orders")) {

            assertThatThrownBy(() -> Producers.jms(Producers.core(broker), "orders", session -> {
                        BytesMessage message = session.createBytesMessage();
                        message.setObjectProperty("JMS_AMQ_InputStream", endingThePluginHalfWay(broker));
                        return message;
                    }))
                    .isInstanceOf(JMSException.class);

            assertThat(watch.seen()).isEmpty();
            assertThat(broker.disk().filesWith(LargeBodies.MARK)).isEmpty();
            assertThat(reader.poll("orders")).isNull();
        }
    }

    private static ByteArrayInputStream endingThePluginHalfWay(TestBroker broker) {
        byte[] bytes = Producers.utf8(LargeBodies.TEXT);
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                int before = pos;
                int read = super.read(into, offset, length);
                if (before < bytes.length / 2 && pos >= bytes.length / 2) {
                    broker.server().unRegisterBrokerPlugin(broker.plugin);
                }
                return read;
            }
        };
    }
}
