/* SPDX-License-Identifier: Apache-2.0 */
package com.example.orders;

import io.quarkus.arc.ClientProxy;
import io.smallrye.common.annotation.Identifier;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.jms.ConnectionFactory;
import java.nio.file.Path;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.keystore.home.Password;

/** Wraps the factory of Artemis that Quarkus makes. As an alternative it is the one that others inject. */
class SignetFactory {
    @Produces
    @Singleton
    @Alternative
    @Priority(1)
    ConnectionFactory wrapped(
            @Identifier("provider") ConnectionFactory provider,
            @ConfigProperty(name = "signet.home") Path home,
            @ConfigProperty(name = "signet.identity") String identity,
            @ConfigProperty(name = "signet.password-file") Path passwordFile) {
        try (Password password = Password.fromFile(passwordFile)) {
            return SignetConnectionFactory.open(ClientProxy.unwrap(provider), home, identity, password);
        }
    }

    void close(@Disposes ConnectionFactory wrapped) {
        ((SignetConnectionFactory) wrapped).close();
    }
}
