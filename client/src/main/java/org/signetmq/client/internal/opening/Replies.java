/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.opening;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.message.Entity;
import org.signetmq.keystore.CertificateUse;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.keys.CryptoProviders;
import org.signetmq.keystore.trust.Certificates;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.SealingPlace;
import org.signetmq.policy.Toleration;
import org.signetmq.policy.UnmatchedAddress;

/**
 * The policies of temporary destinations for replies. A sealed request carries the certificate of its requester, and
 * its reply is sealed for this certificate alone, with the quality of the request. Thread-safe.
 */
final class Replies {
    /** The property of the entity of a request with the certificate for its reply: base64 of DER. */
    static final String CERTIFICATE = "reply-certificate";

    /** The longest such text. The other lines of a header need the rest of its 16 KiB. */
    private static final int LONGEST = 12 << 10;

    private static final int MOST = 10_000;
    private static final long LIFE = Duration.ofHours(1).toNanos();

    /** The beginning of the names of requesters. No certificate of a home has a name with blanks. */
    private static final String NAME = "reply to ";

    /** The replies that this client waits for, by their addresses. */
    private final Map<String, PolicySet> due = new LinkedHashMap<>();

    /** The requests that this client received and did not answer, by the addresses of their replies. */
    private final Map<String, Requester> waiting = new LinkedHashMap<>();

    /** The answered requests, for further replies. */
    private final Map<String, Requester> answered = new LinkedHashMap<>();

    private volatile boolean isAnyDue;
    private volatile boolean isAnyRequested;

    /** The time at which a waiting request was forgotten; null if none was. */
    private volatile @Nullable Long forgotten;

    /** The sender of a request, and the policy of its reply. */
    private record Requester(Recipient recipient, EffectivePolicy policy, long since) {}

    /** Puts an entry last. Returns the eldest if it had to go, or null. */
    private static <V> @Nullable V put(Map<String, V> entries, String address, V value) {
        entries.remove(address);
        entries.put(address, value);
        return entries.size() > MOST
                ? entries.remove(entries.keySet().iterator().next())
                : null;
    }

    private static boolean isOld(long since) {
        return System.nanoTime() - since > LIFE;
    }

    /** Returns the temporary destination for the reply to a message; null for none. */
    static @Nullable Destination temporary(Message message) throws JMSException {
        Destination replyTo = message.getJMSReplyTo();
        return isTemporary(replyTo) ? replyTo : null;
    }

    private static boolean isTemporary(@Nullable Destination destination) {
        return destination instanceof TemporaryQueue || destination instanceof TemporaryTopic;
    }

    /** Returns the text of the certificate for the reply to a request: that of the first identity that can receive. */
    static String certificate(List<Identity> identities) {
        Identity requester = identities.stream()
                .filter(each -> Certificates.problemWithKey(each.certificate(), CertificateUse.RECEIVING)
                        .isEmpty())
                .findFirst()
                .orElseThrow(() -> new KeystoreUnusableException(
                        "identity: no key can receive the sealed reply to this request on a temporary destination"));
        String certificate = Base64.getEncoder().encodeToString(PublicKeyInfo.encoded(requester.certificate()));
        if (certificate.length() > LONGEST) {
            throw new KeystoreUnusableException("identity '" + requester.name() + "': its certificate of "
                    + certificate.length() + " characters is too long to travel with a request for a sealed reply;"
                    + " use an ordinary queue with a policy for the reply");
        }
        return certificate;
    }

    /** Expects the reply to a sealed request. */
    void expect(String replyTo, EffectivePolicy request) {
        Policy policy = reply(request.policy(), replyTo, NAME);
        PolicySet policies = PolicySet.of(request.version(), UnmatchedAddress.REJECT, List.of(policy));
        synchronized (this) {
            var unused = put(due, replyTo, policies);
            isAnyDue = true;
        }
    }

    /** Returns the policy of the reply to a request: of the same quality, signed by a recipient of the request. */
    private static Policy reply(Policy request, String pattern, String recipient) {
        Policy.Signing signing = request.signing();
        return new Policy(
                pattern,
                request.quality(),
                new Policy.Signing(
                        signing.algorithm(),
                        request.quality().encrypts() ? request.encryption().recipients() : List.of(),
                        signing.certificate()),
                new Policy.Encryption(
                        request.encryption().algorithm(),
                        request.quality().encrypts() ? List.of(recipient) : List.of(),
                        request.encryption().limits()),
                new Policy.Acceptance(Toleration.ENFORCE, SealingPlace.CLIENT));
    }

    /** Returns the policies for an address at which a sealed reply is due; null for any other. */
    @Nullable
    PolicySet due(String address) {
        if (!isAnyDue) {
            return null;
        }
        synchronized (this) {
            return due.get(address);
        }
    }

    /**
     * Remembers the requester of an opened request. The first certificate of an address counts, so that no other sender
     * can direct the replies to itself.
     */
    void requested(String replyTo, Entity request, EffectivePolicy policy) {
        Recipient requester = recipient(String.valueOf(request.properties().get(CERTIFICATE)));
        EffectivePolicy ofReply = new EffectivePolicy(
                reply(policy.policy(), policy.policy().pattern(), requester.name()),
                policy.version(),
                Map.of(NAME, requester.name())); // such policies share a bounded number of data keys
        synchronized (this) {
            Requester before = requester(replyTo);
            if (before == null || isOld(before.since()) || before.recipient().equals(requester)) {
                answered.remove(replyTo);
                Requester eldest = put(waiting, replyTo, new Requester(requester, ofReply, System.nanoTime()));
                if (eldest != null && !isOld(eldest.since())) {
                    forgotten = System.nanoTime();
                }
                isAnyRequested = true;
            }
        }
    }

    private @Nullable Requester requester(String replyTo) {
        Requester found = waiting.get(replyTo);
        return found == null ? answered.get(replyTo) : found;
    }

    private static Recipient recipient(String text) {
        try {
            byte[] der = Base64.getDecoder().decode(text);
            return new Recipient(
                    NAME + HexFormat.of().formatHex(CryptoProviders.sha256(der)), Certificates.fromDer(der));
        } catch (IllegalArgumentException | KeystoreUnusableException e) {
            throw new MalformedEnvelopeException("property " + CERTIFICATE + ": not base64 of a certificate");
        }
    }

    /** Returns the policy of the reply at an address; null if no request waits there. */
    @Nullable
    EffectivePolicy policyOf(String address) {
        if (!isAnyRequested) {
            return null;
        }
        synchronized (this) {
            Requester requester = requester(address);
            return requester == null ? null : requester.policy();
        }
    }

    /**
     * Returns whether a reply to this destination may be one to a sealed request that was forgotten, because too many
     * requests wait. Within an hour after that it must not go in clear.
     */
    boolean mayBeForgotten(@Nullable Destination destination) {
        return isTemporary(destination) && isAnyForgotten();
    }

    /** Returns whether a waiting request was forgotten within an hour. */
    boolean isAnyForgotten() {
        Long since = forgotten;
        return since != null && !isOld(since);
    }

    /** Notes that the reply to an address was sealed. */
    synchronized void answered(String address) {
        Requester requester = waiting.remove(address);
        if (requester != null) {
            var unused = put(answered, address, requester);
        }
    }

    private synchronized Optional<Recipient> find(String name) {
        return Stream.concat(waiting.values().stream(), answered.values().stream())
                .map(Requester::recipient)
                .filter(recipient -> recipient.name().equals(name))
                .findFirst();
    }

    /** Returns a directory that finds the requesters beside the certificates of another one. */
    RecipientDirectory directory(RecipientDirectory others) {
        return new RecipientDirectory() {
            @Override
            public Optional<Recipient> find(String selector) {
                return selector.startsWith(NAME) ? Replies.this.find(selector) : others.find(selector);
            }

            @Override
            public List<Recipient> find(KeyIdentifier keyIdentifier) {
                return others.find(keyIdentifier);
            }

            @Override
            public List<Recipient> all() {
                return others.all();
            }

            @Override
            public List<Recipient> former() {
                return others.former();
            }

            @Override
            public long version() {
                return others.version();
            }
        };
    }
}
