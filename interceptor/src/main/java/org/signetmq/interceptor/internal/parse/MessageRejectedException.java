/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

/**
 * A message that must not pass. The text names address and cause, never content. Becomes the broker's own at the edge.
 */
public class MessageRejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    public MessageRejectedException(String message) {
        super(message);
    }
}
