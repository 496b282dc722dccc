/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.springboot;

import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.signetmq.client.FactoryStatus;
import org.signetmq.client.SignetConnectionFactory;
import org.signetmq.envelope.SignedPolicies;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PrintableText;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.PartyCheck;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.InvalidPolicyException;
import org.signetmq.policy.PartyValidator;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicyProblem;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.file.PolicyFile;
import org.signetmq.springboot.SignetProperties.PolicySource;

/** The wrapped connection factories of an application, by the names of their beans. Thread-safe. */
final class SignetFactories implements AutoCloseable {
    private final SignetProperties properties;

    // guarded by this object
    private final Map<String, SignetConnectionFactory> opened = new LinkedHashMap<>();
    private final List<BiConsumer<String, SignetConnectionFactory>> receivers = new ArrayList<>();

    SignetFactories(SignetProperties properties) {
        this.properties = properties;
    }

    /**
     * Wraps a provider's factory, with the keys and policies of the home.
     *
     * @throws StartFailure if a property is missing, or no message can be sealed for a recipient
     * @throws KeystoreUnusableException if the home is unusable
     * @throws InvalidPolicyException if its policies cannot work
     */
    synchronized SignetConnectionFactory open(String bean, ConnectionFactory provider) {
        Path home = properties.requiredHome();
        String identity = properties.requiredIdentity();
        SignetConnectionFactory factory;
        try (Password password = properties.openedPassword()) {
            factory = SignetConnectionFactory.open(provider, home, identity, password);
        }
        try {
            requirePolicies(home, factory.status());
            SignetConnectionFactory made = configured(factory);
            String name = bean;
            for (int i = 2; opened.containsKey(name); i++) {
                name = bean + "-" + i;
            }
            opened.put(name, made);
            for (BiConsumer<String, SignetConnectionFactory> receiver : receivers) {
                receiver.accept(name, made);
            }
            return made;
        } catch (RuntimeException e) {
            factory.close();
            throw e;
        }
    }

    private SignetConnectionFactory configured(SignetConnectionFactory factory) {
        SignetConnectionFactory made = factory;
        if (properties.policies() == PolicySource.BROKER) {
            made = made.withPoliciesOfBroker();
        }
        try {
            return made.withAddressPrefixes(properties.addressPrefixes())
                    .withDeadLettersOn(properties.deadLetterAddresses());
        } catch (IllegalArgumentException e) {
            throw new StartFailure(
                    String.valueOf(e.getMessage()), "Correct signet.dead-letter-addresses or signet.address-prefixes.");
        }
    }

    private void requirePolicies(Path home, FactoryStatus status) {
        if (status.problem() == null) {
            requireRecipients(new Home(home));
        } else if (properties.policies() == PolicySource.HOME) {
            throw new StartFailure(
                    status.problem(),
                    "Import a bundle of the broker's administrator with 'signet bundle import', or set"
                            + " signet.policies=broker if the broker publishes its policies.");
        }
    }

    /** Checks the recipients for which the application itself seals. The broker checks those of its own policies. */
    private void requireRecipients(Home home) {
        if (!properties.requireRecipients()) {
            return;
        }
        PolicySet policies;
        try {
            policies = PolicyFile.parse(
                    SignedPolicies.read(home.policies(), home.officers()).json(), PartyValidator.acceptAll());
        } catch (IOException e) {
            throw new KeystoreUnusableException("policies: cannot be read from " + home.policies(), e);
        }
        try (HomeReader reader = home.reader()) {
            reader.use(policies.settings().certificates());
            PartyCheck check = new PartyCheck(reader, reader);
            PartyValidator known = new PartyValidator(check::problemWithRecipient, signer -> Optional.empty());
            for (Policy policy : policies.policies()) {
                if (policy.acceptance().where() == SealingPlace.CLIENT) {
                    requireRecipients(home, policy, policies, known);
                }
            }
        }
    }

    private static void requireRecipients(Home home, Policy policy, PolicySet policies, PartyValidator known) {
        List<PolicyProblem> problems =
                PolicyFile.problems(PolicySet.of(policies.version(), policies.settings(), List.of(policy)), known);
        if (!problems.isEmpty()) {
            throw new StartFailure(
                    "policy " + PrintableText.quoted(policy.pattern()) + ", whose messages the application seals: "
                            + problems.get(0).message(),
                    "Put the certificate into " + home.recipients() + ", correct the policy, or set"
                            + " signet.require-recipients=false in an application that sends nothing there.");
        }
    }

    /** Passes each factory to a receiver, those that are opened later, too. */
    synchronized void forEach(BiConsumer<String, SignetConnectionFactory> receiver) {
        receivers.add(receiver);
        opened.forEach(receiver);
    }

    /** Returns the states of the factories, by the names of their beans. */
    synchronized Map<String, FactoryStatus> status() {
        Map<String, FactoryStatus> states = new LinkedHashMap<>();
        opened.forEach((name, factory) -> states.put(name, factory.status()));
        return states;
    }

    /** Closes the factories. Spring calls it after their connections are closed. */
    @Override
    public synchronized void close() {
        opened.values().forEach(SignetConnectionFactory::close);
    }
}
