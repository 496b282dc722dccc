/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.parse;

/**
 * Thrown to reject a message. Its text contains no content of the message. The plugin converts it to an exception of
 * the broker.
 */
public class MessageRejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    public MessageRejectedException(String message) {
        super(message);
    }
}
