/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.spring;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Prints what happens: a line for each event, {@code EVENT what quality milliseconds text}. */
@Component
class Events {
    private static final String QUALITY = "JMS_Signet_Quality";

    /** A message arrived. */
    void received(String what, Message message) throws JMSException {
        print(what, message.getStringProperty(QUALITY), message.getBody(String.class));
    }

    /** Something else happened. */
    void happened(String what, @Nullable String text) {
        print(what, null, text);
    }

    private static synchronized void print(String what, @Nullable String quality, @Nullable String text) {
        System.out.println("EVENT " + what + " " + quality + " " + System.currentTimeMillis() + " " + text);
        System.out.flush();
    }
}
