/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.QueueSender;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.TopicPublisher;
import jakarta.jms.XAJMSContext;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/** Names the proxies and the reflection of the client, for native images. */
final class SignetRuntimeHints implements RuntimeHintsRegistrar {
    private static final String CLIENT = "org.signetmq.client.internal.";
    private static final String CONNECTION = CLIENT + "jms.SignetConnection";
    private static final String SESSION = CLIENT + "jms.SignetSession";
    private static final String CONTEXT = CLIENT + "jms.SignetContext";
    private static final String RECEIVED = CLIENT + "message.Received";

    /** The interfaces of each proxy that the application gets. */
    private static final List<List<String>> PROXIES = List.of(
            List.of(Connection.class.getName(), CONNECTION + "$Shown"),
            List.of(Connection.class.getName(), CONNECTION + "$ShownXa"),
            List.of(Session.class.getName(), SESSION + "$Shown"),
            List.of(Session.class.getName(), SESSION + "$SignetXASession$ShownXa"),
            names(Session.class),
            names(JMSContext.class),
            names(XAJMSContext.class),
            names(JMSProducer.class),
            names(MessageProducer.class, QueueSender.class, TopicPublisher.class),
            names(Message.class),
            names(TextMessage.class),
            names(BytesMessage.class),
            names(MapMessage.class),
            names(ObjectMessage.class),
            names(StreamMessage.class));

    /** The classes whose methods answer calls of these proxies. */
    private static final List<String> ANSWERS = List.of(
            CONNECTION,
            SESSION,
            SESSION + "$SignetXASession",
            SESSION + "$SignetMessageProducer",
            CONTEXT,
            CONTEXT + "$Xa",
            CONTEXT + "$SignetJmsProducer",
            CLIENT + "provider.ProviderSession",
            RECEIVED + "Message",
            RECEIVED + "BytesMessage",
            RECEIVED + "Messages$Text",
            RECEIVED + "Messages$Sourced",
            RECEIVED + "Messages$ReceivedMapMessage");

    private static List<String> names(Class<?>... types) {
        return Stream.of(types).map(Class::getName).toList();
    }

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        for (List<String> proxy : PROXIES) {
            hints.proxies()
                    .registerJdkProxy(proxy.stream().map(TypeReference::of).toArray(TypeReference[]::new));
            proxy.stream()
                    .map(name -> ClassUtils.resolveClassName(name, loader))
                    .flatMap(type -> Stream.concat(
                            Stream.of(type), Stream.of(type.getMethods()).map(Method::getDeclaringClass)))
                    .forEach(type -> hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
        }
        ANSWERS.forEach(name ->
                hints.reflection().registerType(TypeReference.of(name), MemberCategory.INVOKE_DECLARED_METHODS));
        hints.reflection()
                .registerType(
                        TypeReference.of("org.apache.activemq.artemis.core.client.impl.ClientSessionImpl"),
                        MemberCategory.INVOKE_PUBLIC_METHODS)
                .registerType(
                        TypeReference.of("org.apache.qpid.jms.provider.amqp.message.AmqpJmsMessageFacade"),
                        MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(
                        TypeReference.of("com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider"),
                        type -> type.withField("INSTANCE").withMembers(MemberCategory.INVOKE_PUBLIC_METHODS));
    }
}
