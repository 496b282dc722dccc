/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

/** The protocol by which a consumer receives. It decides the conversion of messages of other protocols. */
public enum ClientProtocol {
    /** Artemis's own: the broker converts messages of AMQP producers. */
    CORE,
    /** The protocol of the ActiveMQ client: the broker converts messages of AMQP producers, as for Core. */
    OPENWIRE,
    /** AMQP 1.0, and that of any client library that is not known: messages come as their producers sent them. */
    AMQP
}
