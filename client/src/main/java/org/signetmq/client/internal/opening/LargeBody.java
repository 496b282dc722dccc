/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.Message;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.provider.artemis.ArtemisLargeBody;
import org.signetmq.client.internal.settlement.GivingBack;

/** Bodies that a provider hands out as they arrive. */
final class LargeBody {
    private LargeBody() {}

    /** The body as a stream if it is sealed and so long; null if it is not, or the provider has it in memory anyway. */
    static @Nullable InputStream of(Message message) throws IOException {
        return message.getClass().getName().startsWith(GivingBack.ARTEMIS_CLIENT) ? ArtemisLargeBody.of(message) : null;
    }
}
