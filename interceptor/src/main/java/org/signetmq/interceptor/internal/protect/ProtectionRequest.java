/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.util.Map;
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
    /** Returns the message to seal, without its payload. */
    public ClearMessage head(ClearMessage.Body body) {
        return new ClearMessage(target.address(), body, new byte[0], source.user(), Map.of());
    }
}
