/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.ObjectMessage;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.signetmq.client.Objects;
import org.signetmq.client.internal.provider.ClientLibrary.ObjectSource;

final class LibraryChoiceTest {
    private static boolean read;

    /** Notes that it is deserialised. */
    private static final class Noting implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws Exception {
            in.defaultReadObject();
            read = true;
        }
    }

    private static <T> T unknown(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new UnsupportedOperationException(method.getName());
        }));
    }

    @Test
    void objectInAMessageOfAnUnknownLibrary_isNotDeserialised() throws Exception {
        ClientLibrary library = LibraryChoice.of(unknown(ConnectionFactory.class));

        ObjectSource source =
                requireNonNull(library.putObject(Objects.serialized(new Noting()), unknown(ObjectMessage.class)));

        assertThatThrownBy(source::object).isInstanceOf(JMSException.class).hasMessageContaining("not deserialised");
        assertThat(read).isFalse();
    }
}
