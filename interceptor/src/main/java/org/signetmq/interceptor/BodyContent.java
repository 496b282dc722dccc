/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

import java.util.Map;
import org.signetmq.envelope.ClearMessage;

/**
 * What a message in clear says, in a form that every consumer can rebuild.
 *
 * @param body what the payload is
 * @param payload the payload
 * @param properties what else a consumer restores
 */
record BodyContent(ClearMessage.Body body, byte[] payload, Map<String, String> properties) {
    static BodyContent of(ClearMessage.Body body, byte[] payload) {
        return new BodyContent(body, payload, Map.of());
    }
}
