/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.XAConnectionFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.signetmq.client.internal.message.OpenOutcomes;
import org.signetmq.client.internal.message.SignetProperties;
import org.signetmq.client.internal.opening.AddressedOpener;
import org.signetmq.client.internal.opening.ClientPolicies;
import org.signetmq.client.internal.opening.MessageSealing;
import org.signetmq.envelope.Opener;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentitySource;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.home.ExternalKeys;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.HomeReader;
import org.signetmq.keystore.home.IdentityWatch;
import org.signetmq.keystore.home.KeyWatch;
import org.signetmq.keystore.home.Password;
import org.signetmq.keystore.home.PermissionCheck;

/**
 * A connection factory that opens messages for its consumers, and seals messages of its producers. Consumers receive
 * the messages as their producers sent them. Wraps the factory of any provider of Jakarta Messaging.
 *
 * <p>A producer seals a message if the policy of its address says {@code where: client} or {@code either} and the
 * factory has an identity. With {@code client} a message that cannot be sealed is not sent: the call throws a
 * {@code JMSSecurityException}, or in the simplified API its unchecked counterpart. With {@code either} it is sent in
 * clear for the broker to seal, and the log has one warning for each policy.
 *
 * <p>Each received message of an address with a policy has the string property {@value #QUALITY_PROPERTY}. It has
 * {@value #SIGNER_PROPERTY} and {@value #SENDER_PROPERTY} if they are known.
 *
 * <p>A message that cannot be opened never reaches the application. Its policy decides where it goes: to a quarantine
 * address, back to the broker, which delivers it again or moves it to its dead-letter address, or nowhere. Without a
 * decision, the messages of listeners go to the quarantine, and those of receiving calls go back. The log has one line
 * with the cause for each delivery. A call that receives continues with the next message within its time. It throws
 * {@link MessageOpenException} (JMSContext and JMSConsumer {@link MessageOpenRuntimeException}) only if the message
 * must go back and cannot go back alone. This happens in a transaction with other work, and while other received
 * messages are unacknowledged. The call also throws if the consumer's keys or policies cannot be read, so that no
 * message can be opened. See {@link #withOpenFailuresThrown}. Browsers always throw
 * {@link MessageOpenRuntimeException}. The connection's exception listener is never notified of a message that cannot
 * be opened.
 *
 * <p>A message must have been sealed for the address that the consumer names. If a queue's name differs from its
 * address, consume from the fully qualified name, {@code address::queue}. Dead letters are sealed for another address
 * than their queue's: see {@link #withDeadLettersOn}.
 *
 * <p>Thread-safe. Its connections and contexts are as thread-safe as those of the wrapped factory.
 */
public final class SignetConnectionFactory extends OpeningConnections implements AutoCloseable {
    /** The protection of the message: none, integrity, privacy, confidentiality or authenticity. */
    public static final String QUALITY_PROPERTY = SignetProperties.QUALITY;

    /** The distinguished name (RFC 4514) of the signer. */
    public static final String SIGNER_PROPERTY = SignetProperties.SIGNER;

    /**
     * The proof of the signer: {@code signature}, or {@code agreement} on the data key, which proves the signer to the
     * recipients alone.
     */
    public static final String PROOF_PROPERTY = SignetProperties.PROOF;

    /**
     * The property with the user that the broker authenticated when the producer sent the message. Only messages that a
     * broker signed have it. The policy of the address must list that broker under {@code brokers}.
     */
    public static final String SENDER_PROPERTY = SignetProperties.SENDER;

    /**
     * The address that a dead letter was sealed for. It is authenticated, unlike the broker's own note. Only messages
     * that were sealed for another address than the consumer's have it; see {@link #withDeadLettersOn}.
     */
    public static final String ADDRESS_PROPERTY = SignetProperties.ADDRESS;

    private final AutoCloseable owned;

    private SignetConnectionFactory(ConnectionFactory delegate, AddressedOpener opener, AutoCloseable owned) {
        super(delegate, opener);
        this.owned = owned;
    }

    /** Wraps a factory. The caller closes the opener. Producers seal nothing. */
    public static SignetConnectionFactory wrap(ConnectionFactory delegate, Opener opener) {
        MessageSealing none = new MessageSealing(opener, null);
        return new SignetConnectionFactory(
                delegate, new AddressedOpener(opener, none, null, new PublicExceptions()), () -> {});
    }

    /**
     * Wraps a factory, with keys, trust and policies of a home folder. The current and the former keys of the identity
     * open messages; the current one signs. Signet reads the policies again when their file changes. It takes in keys
     * of the identity that are put into the home later, and so keeps a copy of the password until the factory is
     * closed.
     *
     * @param home the folder
     * @param identity the name of the identity that opens messages
     * @param password the password of its key stores; the caller closes it
     * @throws KeystoreUnusableException if the identity or the policies cannot be read, or if other users may change
     *     the home or read its secrets
     * @throws org.signetmq.policy.InvalidPolicyException if the policies cannot work
     */
    public static SignetConnectionFactory open(
            ConnectionFactory delegate, Path home, String identity, Password password) {
        Home folder = checked(home);
        HomeReader files = folder.reader();
        try {
            IdentityWatch keys = files.watchIdentity(identity, password);
            return open(delegate, folder, files, keys, keys::close, Clock.systemUTC());
        } catch (RuntimeException e) {
            files.close();
            throw e;
        }
    }

    /**
     * Wraps a factory, with keys of a token or a key service, and trust and policies of a home folder. All keys of the
     * identity open messages; the current one signs. Keys that are put into the token later do so within seconds.
     * Signet reads the policies again when their file changes.
     *
     * @param home the folder; the certificates in it also tell which keys belong to the identity
     * @param identity the name of the identity that opens messages
     * @param keys the token or the key service
     * @throws KeystoreUnusableException if the keys or the policies cannot be read, or if other users may change the
     *     home or read its secrets
     * @throws org.signetmq.policy.InvalidPolicyException if the policies cannot work
     */
    public static SignetConnectionFactory open(
            ConnectionFactory delegate, Path home, String identity, ExternalKeys keys) {
        Home folder = checked(home);
        KeyWatch reader = keys.watch(identity, folder);
        return open(delegate, folder, folder.reader(), reader, reader::close, Clock.systemUTC());
    }

    /**
     * Wraps a factory, with identities that the application has loaded, for example from a key service. Trust and
     * policies come from a home folder. Signet reads the policies again when their file changes.
     *
     * @param home the folder
     * @param readers the identities that open messages; the first of them signs those that producers send
     * @throws KeystoreUnusableException if the policies cannot be read, or if other users may change the home or read
     *     its secrets
     * @throws org.signetmq.policy.InvalidPolicyException if the policies cannot work
     */
    public static SignetConnectionFactory open(ConnectionFactory delegate, Path home, Collection<Identity> readers) {
        Home folder = checked(home);
        return open(delegate, folder, folder.reader(), IdentitySource.of(readers), () -> {}, Clock.systemUTC());
    }

    /** Wraps a factory whose messages are sealed by this clock. */
    static SignetConnectionFactory open(
            ConnectionFactory delegate, Path home, Collection<Identity> readers, Clock sealing) {
        Home folder = checked(home);
        return open(delegate, folder, folder.reader(), IdentitySource.of(readers), () -> {}, sealing);
    }

    private static Home checked(Path home) {
        Home folder = new Home(home);
        PermissionCheck.forThisUser().home(folder).requireNoFinding();
        return folder;
    }

    private static SignetConnectionFactory open(
            ConnectionFactory delegate,
            Home folder,
            HomeReader files,
            IdentitySource reader,
            Runnable atClose,
            Clock clock) {
        try {
            ClientPolicies policies = new ClientPolicies(folder, files, Clock.systemUTC());
            Opener opener = Opener.create(new Opener.Keys(reader, files, files), policies);
            MessageSealing sealing = new MessageSealing(opener, new MessageSealing.Keys(reader, files, files, clock));
            AddressedOpener addressed = new AddressedOpener(opener, sealing, policies, new PublicExceptions());
            return new SignetConnectionFactory(delegate, addressed, () -> {
                policies.close();
                sealing.close();
                opener.close();
                files.close();
                atClose.run();
            });
        } catch (RuntimeException e) {
            files.close();
            atClose.run();
            throw e;
        }
    }

    /**
     * Returns the same factory for an application that also reads dead letters or expired messages. Consumers and
     * browsers of these addresses open messages for the address that the broker noted as the original one. The policy
     * of that address counts, if it protects no less than the policy of the address itself. For a message without such
     * a note the consumer's address counts.
     *
     * <p>The note is not authenticated. A client with the permission to write to such an address can put a message
     * there that was sealed for another. Its messages are genuine, but need not be dead letters.
     *
     * <p>The new factory shares the opener with this one; closing either closes it.
     *
     * @param addresses the addresses to which the broker moves messages
     * @throws IllegalArgumentException if one has a wildcard or a queue part
     */
    public SignetConnectionFactory withDeadLettersOn(Collection<String> addresses) {
        return new SignetConnectionFactory(delegate, opener.withDeadLettersOn(addresses), owned);
    }

    /**
     * Returns the same factory for an application that connects to an acceptor with prefixes, {@code anycastPrefix} or
     * {@code multicastPrefix} in its URL. The broker removes them from the names of destinations, so a consumer of
     * {@code jms.queue.orders} receives messages that were sealed for {@code orders}. The consumer removes only the
     * longest prefix from a name.
     *
     * <p>The new factory shares the opener with this one; closing either closes it.
     *
     * @param prefixes the prefixes of the acceptor
     * @throws IllegalArgumentException if one is empty or has a queue part
     */
    public SignetConnectionFactory withAddressPrefixes(Collection<String> prefixes) {
        return new SignetConnectionFactory(delegate, opener.withPrefixes(prefixes), owned);
    }

    /**
     * Returns the same factory for an application that handles failures to open itself. Receiving throws
     * {@link MessageOpenException} (JMSContext and JMSConsumer {@link MessageOpenRuntimeException}) and gives the
     * message back to the broker, whatever its policy says. In a transaction the message stays in it, and a commit is
     * rejected.
     *
     * <p>Do not use it for listener containers: they treat an exception of a receiving call as a failed connection.
     *
     * <p>The new factory shares the opener with this one; closing either closes it.
     */
    public SignetConnectionFactory withOpenFailuresThrown() {
        return new SignetConnectionFactory(delegate, opener.thatThrows(), owned);
    }

    /**
     * Returns the same factory for an application whose broker publishes its policies. A thread fetches them, with a
     * connection of its own from the wrapped factory and the credentials of the application's first connection. A
     * change is in force within two seconds. The last good policies are kept in the home as {@code fetched-policies},
     * and count while the broker is away.
     *
     * <p>If the home has {@code officer.pem}, only policies count that one of these officers signed, and never an older
     * version. Otherwise fetched policies can only make those of {@code policies.json} stricter, and their certificates
     * do not count. Without {@code policies.json} they count as they are. Until some are known, at most ten seconds
     * long, consumers wait. Then they throw {@link MessageOpenException} with {@link OpenFailure#KEYSTORE}.
     *
     * <p>The wrapped factory must make connections without a fixed client identifier, and its user needs the right to
     * consume from {@code SIGNET.POLICIES}. The new factory shares the policies and the opener with this one; closing
     * either closes them.
     *
     * @throws IllegalStateException if this factory is not one of a home
     * @throws KeystoreUnusableException if the last good policies cannot be read
     */
    public SignetConnectionFactory withPoliciesOfBroker() {
        ClientPolicies policies = opener.policies();
        if (policies == null) {
            throw new IllegalStateException("policies: this factory has an opener of the application and no home;"
                    + " make the factory with open(...)");
        }
        policies.fetch();
        return new SignetConnectionFactory(delegate, opener, owned);
    }

    /**
     * Returns a factory for transactions of a transaction manager. It shares the opener with this factory, which must
     * stay open.
     *
     * @throws IllegalStateException if the wrapped factory makes no XA connections
     */
    public SignetXAConnectionFactory xa() {
        if (delegate instanceof XAConnectionFactory factory) {
            return new SignetXAConnectionFactory(factory, delegate, opener);
        }
        throw new IllegalStateException("connection factory: "
                + delegate.getClass().getName() + " makes no XA connections; wrap one that does");
    }

    /** Returns the state of this factory at this moment. Reads files at most, and waits for no broker. */
    public FactoryStatus status() {
        ClientPolicies policies = opener.policies();
        String problem = policies == null ? null : policies.problem();
        return new FactoryStatus(
                policies == null || problem != null ? 0 : policies.version(),
                opener.outcomes().opened(),
                opener.outcomes().failing(),
                problem);
    }

    /** Closes the opener if this factory made it. Existing connections can then open no more messages. */
    @Override
    public void close() {
        try {
            owned.close();
        } catch (Exception e) {
            throw new IllegalStateException("opener: cannot be closed", e);
        }
    }

    /** Makes and counts {@link MessageOpenException}, and makes {@link MessageOpenRuntimeException}. */
    private static final class PublicExceptions extends OpenOutcomes {
        @Override
        public JMSException because(Throwable cause, @Nullable Message arrived) {
            MessageOpenException made = MessageOpenException.because(cause, arrived);
            failed(made.failure().label());
            return made;
        }

        @Override
        public @Nullable String reason(JMSException e) {
            return e instanceof MessageOpenException made ? made.failure().label() : null;
        }

        @Override
        protected JMSRuntimeException uncheckedFailure(JMSException openFailure) {
            return new MessageOpenRuntimeException((MessageOpenException) openFailure);
        }
    }
}
