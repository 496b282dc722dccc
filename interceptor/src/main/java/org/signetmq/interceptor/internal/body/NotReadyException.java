/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import org.signetmq.interceptor.internal.parse.MessageRejectedException;

/** A message that must not pass because the plugin is not ready, which the log has been told once. */
public final class NotReadyException extends MessageRejectedException {
    private static final long serialVersionUID = 1L;

    public NotReadyException(String reason) {
        super(reason);
    }
}
