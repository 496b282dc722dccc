/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.protect;

import java.util.Map;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.interceptor.internal.home.LoadedHome;

/**
 * A request to protect one message.
 *
 * @param source where it comes from
 * @param target where it goes, with the policy there
 * @param home the keys
 */
public record ProtectionRequest(MessageSealer.Source source, MessageSealer.Target target, LoadedHome home) {
    /** The message that is to be sealed, without its payload. */
    public ClearMessage head(ClearMessage.Body body) {
        return new ClearMessage(target.address(), body, new byte[0], source.user(), Map.of());
    }
}
