/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.crypto.ContentCipher;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.WildcardSyntax;

/**
 * Opens messages. One per client, shared by all its threads, which share its opened keys. Needs no broker and no JMS.
 */
public final class Opener implements AutoCloseable {
    private static final String NAME = "opener";

    private final KeyOpening keys;
    private final SignatureCheck signatures;
    private final Supplier<PolicySet> policies;
    private final Clock clock;
    private final LegacyAlgorithms unmatchedLegacy;
    private final Workspaces workspaces = new Workspaces();

    private Opener(Keys keys, Supplier<PolicySet> policies, Clock clock, LegacyAlgorithms unmatchedLegacy) {
        this.keys = new KeyOpening(keys.identities());
        this.signatures = new SignatureCheck(keys.certificates(), keys.trust(), clock);
        this.policies = policies;
        this.clock = clock;
        this.unmatchedLegacy = unmatchedLegacy;
    }

    /**
     * What an opener works with.
     *
     * @param identities whose keys open messages
     * @param certificates finds certificates of signers that messages only reference, and those that policies name
     * @param trust decides whether a signer may be believed
     */
    public record Keys(Collection<Identity> identities, RecipientDirectory certificates, CertificateTrust trust) {}

    /** An opener; the policies are asked for at each message. */
    public static Opener create(Keys keys, Supplier<PolicySet> policies) {
        return create(keys, policies, Clock.systemUTC());
    }

    /** As {@link #create(Keys, Supplier)}, by this clock. */
    public static Opener create(Keys keys, Supplier<PolicySet> policies, Clock clock) {
        return new Opener(keys, policies, clock, LegacyAlgorithms.REFUSED);
    }

    /**
     * As {@link #create(Keys, Supplier)}; on addresses without a policy old algorithms are treated like this. A policy
     * decides for its own addresses.
     */
    public static Opener create(Keys keys, Supplier<PolicySet> policies, LegacyAlgorithms unmatched) {
        return new Opener(keys, policies, Clock.systemUTC(), unmatched);
    }

    /**
     * Opens what arrived from an address: an envelope, all segments of a large message, or a message in clear if the
     * policy lets it through.
     *
     * @param bytes the message body as it arrived
     * @param address the address it was received from, without queue part or prefix
     * @throws EnvelopeException if it must not reach the application; the type says why
     * @throws IllegalStateException after close
     */
    public OpenedMessage open(byte[] bytes, String address) {
        return open(bytes, Reception.at(policies.get(), address));
    }

    /**
     * Opens as {@link #open(byte[], String)} does what the broker moved and left in its envelope: it must be sealed for
     * the address where it was, whose policy counts and must protect no less than that of the address where it is. If
     * that policy protects less, the broker sealed the message again, for the address where it is: then that one
     * counts. A message in clear must be let through by both.
     *
     * @param bytes the message body as it arrived
     * @param moved from where to where, without queue parts or prefixes
     * @throws EnvelopeException if it must not reach the application; the type says why
     * @throws IllegalStateException after close
     */
    public OpenedMessage open(byte[] bytes, Moved moved) {
        return open(bytes, Reception.of(policies.get(), moved));
    }

    /** The wildcards in which the policies are written, which are the broker's. */
    public WildcardSyntax wildcards() {
        return policies.get().wildcards();
    }

    private OpenedMessage open(byte[] bytes, Reception reception) {
        if (!looksSealed(bytes)) {
            refuseClear(reception);
            return new OpenedMessage(QualityOfProtection.NONE, null, bytes, null);
        }
        if (EnvelopeLength.isShorterThan(bytes)) {
            SegmentOpener segments = new SegmentOpener(this, reception, new ByteArrayInputStream(bytes));
            return inWorkspace(workspace -> SegmentsInMemory.open(bytes.length, segments, workspace));
        }
        return inWorkspace(workspace -> {
            ParsedEnvelope parsed = EnvelopeParser.parse(Slice.of(bytes), workspace.known);
            OperationBudget budget = workspace.budget();
            try (VerifiedContent verified = verify(parsed, reception.policy(), workspace, budget)) {
                Slice rest = header(verified, reception, workspace);
                Entity head = workspace.entities.head();
                SegmentSequence.refuseIncomplete(head.segment(), rest.length());
                byte[] payload = workspace.entities.payload(rest);
                verified.accept();
                return new OpenedMessage(
                        verified.quality(),
                        head.with(payload),
                        payload,
                        verified.signer(),
                        verified.provedSender(head, reception.policy()));
            }
        });
    }

    /**
     * The address that a message was sealed for, for a receiver who asked for several and is not told from which one it
     * came. It is proven as {@link #open(byte[], String)} proves it, but for the rules of a policy: whoever finds it
     * among those asked for must still open the message for it. As no policy is known yet, old algorithms are refused.
     *
     * @param bytes the message body as it arrived
     * @return empty for a message in clear, which does not say
     * @throws EnvelopeException if it is not an envelope that can be opened here; the type says why
     * @throws IllegalStateException after close
     */
    public Optional<String> sealedAddress(byte[] bytes) {
        if (!looksSealed(bytes)) {
            return Optional.empty();
        }
        Slice first = EnvelopeLength.isShorterThan(bytes)
                ? new Slice(bytes, 0, (int) EnvelopeLength.of(bytes, bytes.length))
                : Slice.of(bytes);
        return Optional.of(inWorkspace(workspace -> {
            ParsedEnvelope parsed = EnvelopeParser.parse(first, workspace.known);
            try (VerifiedContent verified = verify(parsed, null, workspace, workspace.budget())) {
                Slice content = verified.content();
                workspace.entities.header(content.array(), content.offset(), content.length());
                String address = workspace.entities.head().address();
                verified.accept();
                return address;
            }
        }));
    }

    /**
     * Opens an envelope as {@link #open} does, and gives the MIME entity whole: header lines, blank line, payload. Of a
     * large message these are the header of its first segment and the payloads of all.
     *
     * @throws EnvelopeException if it must not reach the application, or is no envelope
     */
    public byte[] openEntity(byte[] bytes, String address) {
        SegmentOpener segments = openSegments(new ByteArrayInputStream(bytes), address);
        try {
            return inWorkspace(workspace -> SegmentsInMemory.entity(segments, workspace));
        } catch (IOException impossible) {
            throw new IllegalStateException("bytes: cannot be read", impossible);
        }
    }

    /**
     * Opens what arrived from an address as {@link #open} does, part by part, in bounded memory: one segment, or an
     * envelope without segments of at most 64 MiB. Reads nothing yet.
     *
     * @param in the message body as it arrives
     * @param address the address it was received from, without queue part or prefix
     */
    public SegmentOpener openSegments(InputStream in, String address) {
        return new SegmentOpener(this, Reception.at(policies.get(), address), in);
    }

    /**
     * Opens part by part, as {@link #openSegments(InputStream, String)}, by the rules of {@link #open(byte[], Moved)}.
     */
    public SegmentOpener openSegments(InputStream in, Moved moved) {
        return new SegmentOpener(this, Reception.of(policies.get(), moved), in);
    }

    /** Something that needs a workspace. */
    @FunctionalInterface
    interface Work<T, X extends Exception> {
        T in(Workspace workspace) throws X;
    }

    <T, X extends Exception> T inWorkspace(Work<T, X> work) throws X {
        T result;
        Workspace workspace = workspaces.take(NAME);
        try {
            result = work.in(workspace);
        } catch (Throwable failed) {
            workspace.close(); // nobody knows in what state it is
            throw failed;
        }
        workspaces.giveBack(workspace);
        return result;
    }

    /**
     * Opens one envelope, whatever its place. The result lies in the workspace or in the envelope, whose array may be
     * changed. It is to be accepted and closed.
     *
     * @param budget what the message may still cost
     */
    OpenedPart part(Slice envelope, Reception reception, Workspace workspace, OperationBudget budget) {
        ParsedEnvelope parsed = EnvelopeParser.parseInPlace(envelope, workspace.known);
        VerifiedContent verified = verify(parsed, reception.policy(), workspace, budget);
        try {
            Slice rest = header(verified, reception, workspace);
            Entity head = workspace.entities.head();
            if (rest.length() == SegmentSealer.SEGMENT_LENGTH) {
                budget.renew();
            }
            String sender = verified.provedSender(head, reception.policy());
            return new OpenedPart(verified, head, workspace.entities.decoded(rest), sender);
        } catch (Throwable refused) {
            verified.close();
            throw refused;
        }
    }

    /** Reads the header and returns what is behind it; refuses what is sealed for another address. */
    private static Slice header(VerifiedContent verified, Reception reception, Workspace workspace) {
        Slice content = verified.content();
        int payload = workspace.entities.header(content.array(), content.offset(), content.length());
        refuseOtherAddress(workspace.entities.address(), reception.address());
        return new Slice(content.array(), payload, content.offset() + content.length() - payload);
    }

    private VerifiedContent verify(
            ParsedEnvelope envelope, @Nullable Policy policy, Workspace workspace, OperationBudget budget) {
        return envelope instanceof ParsedEnvelope.Signed signed
                ? signed(signed, policy, budget)
                : encrypted((ParsedEnvelope.Encrypted) envelope, policy, workspace, budget);
    }

    /** Whether these bytes begin as a CMS envelope does. Cheap; proves nothing. */
    public static boolean looksSealed(byte[] bytes) {
        return EnvelopeParser.looksSealed(bytes, 0, bytes.length);
    }

    /** Refuses a message in clear, unless the policy lets it through. */
    void refuseClear(Reception reception) {
        reception.refuseClear(clock.instant());
    }

    private VerifiedContent signed(ParsedEnvelope.Signed envelope, @Nullable Policy policy, OperationBudget budget) {
        PolicyCompliance.check(QualityOfProtection.INTEGRITY, policy);
        SignatureCheck.Verified signer = signatures.verify(envelope, policy, budget);
        return new VerifiedContent(QualityOfProtection.INTEGRITY, envelope.content(), signer, null);
    }

    private VerifiedContent encrypted(
            ParsedEnvelope.Encrypted envelope, @Nullable Policy policy, Workspace workspace, OperationBudget budget) {
        LegacyRecipients.refuse(envelope.recipients(), policy, unmatchedLegacy);
        FoundKey key = keys.find(envelope, workspace.known, budget);
        try {
            Slice input = input(envelope.content(), workspace);
            byte[] content = decrypt(envelope.content(), input, key, workspace);
            Slice decrypted =
                    new Slice(content, 0, envelope.content().ciphertext().length());
            if (EnvelopeParser.looksSealed(content, 0, decrypted.length())) {
                key.servesOneMessage();
                ParsedEnvelope inner = EnvelopeParser.parseInside(decrypted, input.array());
                if (!(inner instanceof ParsedEnvelope.Signed signedInside)) {
                    throw new MalformedEnvelopeException("envelope: encrypted twice");
                }
                SignatureCheck.Verified signer = signatures.verify(signedInside, policy, budget);
                return new VerifiedContent(QualityOfProtection.PRIVACY, signer.content(), signer, key);
            }
            PolicyCompliance.check(QualityOfProtection.CONFIDENTIALITY, policy);
            return new VerifiedContent(QualityOfProtection.CONFIDENTIALITY, decrypted, null, key);
        } catch (Throwable refused) {
            key.close();
            throw refused;
        }
    }

    /** Ciphertext and tag, which the cipher wants together: where they lie, or in a buffer of the workspace. */
    private static Slice input(ParsedEnvelope.Content sealed, Workspace workspace) {
        Slice ciphertext = sealed.ciphertext();
        Slice tag = sealed.tag();
        int length = ciphertext.length() + ContentCipher.TAG_LENGTH;
        if (tag.follows(ciphertext)) {
            return new Slice(ciphertext.array(), ciphertext.offset(), length);
        }
        byte[] together = workspace.input(length);
        System.arraycopy(ciphertext.array(), ciphertext.offset(), together, 0, ciphertext.length());
        System.arraycopy(tag.array(), tag.offset(), together, ciphertext.length(), tag.length());
        return new Slice(together, 0, length);
    }

    /** Into a buffer of the workspace: what is in it is valid until the workspace is used again. */
    private static byte[] decrypt(ParsedEnvelope.Content sealed, Slice input, FoundKey key, Workspace workspace) {
        byte[] output = workspace.output(input.length());
        GCMParameterSpec parameters = new GCMParameterSpec(
                ContentCipher.TAG_LENGTH * Byte.SIZE,
                sealed.nonce().array(),
                sealed.nonce().offset(),
                sealed.nonce().length());
        ByteBuffer together = ByteBuffer.wrap(input.array(), input.offset(), input.length());
        if (!workspace.cipher.decrypt(key.key(), parameters, together, output)) {
            throw new AuthenticationFailedException("envelope: it was changed, or encrypted under another key");
        }
        return output;
    }

    private static void refuseOtherAddress(String sealed, String address) {
        if (!sealed.equals(address)) {
            throw new AddressMismatchException(
                    "envelope: sealed for address '" + sealed + "', received from '" + address + "'");
        }
    }

    /** What is remembered of the messages so far. Exact while no message is being opened. */
    Remembered remembered() {
        return new Remembered(
                keys.size(), signatures.certificatesKept(), signatures.bytesKept() + workspaces.bytesKept());
    }

    /** How many data keys were unwrapped so far. */
    public long unwraps() {
        return keys.unwraps();
    }

    /** Whether this opener was closed, and so opens nothing. */
    public boolean isClosed() {
        return workspaces.isClosed();
    }

    /** Wipes all cached keys once nobody uses them. Opening afterwards is an IllegalStateException. */
    @Override
    public void close() {
        keys.close();
        workspaces.close();
    }
}
