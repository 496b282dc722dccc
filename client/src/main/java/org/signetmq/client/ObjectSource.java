/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.JMSException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Where the object of an object message comes from, if the provider's own message cannot hold it. */
interface ObjectSource {
    @Nullable
    Serializable object() throws JMSException;
}
