/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.home.LoadedHome;

/**
 * A request to protect one message.
 *
 * @param source the origin of the message
 * @param target the address of the message and its policy
 * @param home the keys
 */
public record ProtectionRequest(MessageSealer.Source source, MessageSealer.Target target, LoadedHome home) {
    /**
     * Returns the message to seal, without its payload.
     *
     * @param messageId its identifier; null for a new one
     */
    public ClearMessage head(ClearMessage.Body body, @Nullable String messageId) {
        return new ClearMessage(target.address(), body, new byte[0], source.user(), Map.of(), messageId);
    }
}
