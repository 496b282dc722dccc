/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.ObjectMessage;

/** Any other client library. It follows the API. */
public final class PlainLibrary implements ClientLibrary {
    @Override
    public ClientProtocol protocol() {
        return ClientProtocol.AMQP;
    }

    @Override
    public ObjectSource putObject(byte[] serialized, ObjectMessage message) {
        return new FilteredObject(serialized);
    }
}
