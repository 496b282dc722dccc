/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.signetmq.client.Objects;

final class FilteredObjectTest {
    @Test
    void basicClasses_areRead() throws Exception {
        ArrayList<Object> basic = new ArrayList<>(List.of("text", 7, new BigDecimal("1.5"), new int[] {1}));

        assertThat(new FilteredObject(Objects.serialized(basic)).object())
                .usingRecursiveComparison()
                .isEqualTo(basic);
    }

    @Test
    void classOfAnApplication_isRejected() throws Exception {
        FilteredObject object = new FilteredObject(Objects.serialized(new Objects.Order("pump", 3)));

        assertThatThrownBy(object::object)
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("InvalidClassException");
    }

    @Test
    void bytesThatAreNoObject_areRejected() {
        assertThatThrownBy(() -> new FilteredObject(new byte[] {1, 2, 3}).object())
                .isInstanceOf(JMSException.class);
    }
}
