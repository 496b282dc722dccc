/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.internal.cms.EnvelopeLength;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.open.EnvelopeOpener;
import org.signetmq.envelope.internal.open.KeyOpening;
import org.signetmq.envelope.internal.open.Reception;
import org.signetmq.envelope.internal.open.Remembered;
import org.signetmq.envelope.internal.open.SegmentsInMemory;
import org.signetmq.envelope.internal.signature.SignatureCheck;
import org.signetmq.envelope.message.Moved;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.WildcardSyntax;

/**
 * Opens messages. One per client, shared by all its threads, which share its opened keys. Needs no broker and no JMS.
 */
public final class Opener implements AutoCloseable {
    private final EnvelopeOpener engine;
    private final Supplier<PolicySet> policies;

    private Opener(Keys keys, Supplier<PolicySet> policies, Clock clock, LegacyAlgorithms unmatchedLegacy) {
        this.engine = new EnvelopeOpener(
                new KeyOpening(keys.identities()),
                new SignatureCheck(keys.certificates(), keys.trust(), clock),
                clock,
                unmatchedLegacy);
        this.policies = policies;
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
            engine.refuseClear(reception);
            return new OpenedMessage(EnvelopeStructure.Clear.INSTANCE.quality(), null, bytes, null);
        }
        if (EnvelopeLength.isShorterThan(bytes)) {
            SegmentOpener segments = new SegmentOpener(engine, reception, new ByteArrayInputStream(bytes));
            return engine.inWorkspace(workspace -> SegmentsInMemory.open(bytes.length, segments::nextPart, workspace));
        }
        return engine.open(bytes, reception);
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
        return Optional.of(engine.sealedAddress(first));
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
            return engine.inWorkspace(workspace -> SegmentsInMemory.entity(segments::nextPart, workspace));
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
        return new SegmentOpener(engine, Reception.at(policies.get(), address), in);
    }

    /**
     * Opens part by part, as {@link #openSegments(InputStream, String)}, by the rules of {@link #open(byte[], Moved)}.
     */
    public SegmentOpener openSegments(InputStream in, Moved moved) {
        return new SegmentOpener(engine, Reception.of(policies.get(), moved), in);
    }

    /** Whether these bytes begin as a CMS envelope does. Cheap; proves nothing. */
    public static boolean looksSealed(byte[] bytes) {
        return EnvelopeParser.looksSealed(bytes, 0, bytes.length);
    }

    /** What is remembered of the messages so far. Exact while no message is being opened. */
    Remembered remembered() {
        return engine.remembered();
    }

    /** How many data keys were unwrapped so far. */
    public long unwraps() {
        return engine.unwraps();
    }

    /** Whether this opener was closed, and so opens nothing. */
    public boolean isClosed() {
        return engine.isClosed();
    }

    /** Wipes all cached keys once nobody uses them. Opening afterwards is an IllegalStateException. */
    @Override
    public void close() {
        engine.close();
    }
}
