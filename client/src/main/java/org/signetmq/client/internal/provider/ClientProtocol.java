/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

/** The protocol by which a consumer receives. It decides what becomes of a message of another protocol. */
public enum ClientProtocol {
    /** Artemis's own: the broker converts what an AMQP producer sent. */
    CORE,
    /** That of the ActiveMQ client: the broker converts what an AMQP producer sent, as for Core. */
    OPENWIRE,
    /** AMQP 1.0, and that of any client library that is not known: messages come as their producers sent them. */
    AMQP
}
