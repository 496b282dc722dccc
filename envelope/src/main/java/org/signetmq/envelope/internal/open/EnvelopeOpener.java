/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.open;

import java.nio.ByteBuffer;
import java.time.Clock;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.AddressMismatchException;
import org.signetmq.envelope.exception.AuthenticationFailedException;
import org.signetmq.envelope.exception.MalformedEnvelopeException;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.internal.cms.EnvelopeParser;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.cms.ParsedEnvelope;
import org.signetmq.envelope.internal.codec.OperationBudget;
import org.signetmq.envelope.internal.codec.Workspace;
import org.signetmq.envelope.internal.codec.Workspaces;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.recipient.LegacyRecipients;
import org.signetmq.envelope.internal.signature.SignatureCheck;
import org.signetmq.envelope.message.Entity;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.envelope.message.Segment;
import org.signetmq.keystore.crypto.ContentCipher;
import org.signetmq.policy.LegacyAlgorithms;
import org.signetmq.policy.Policy;

/** Opens envelopes, one at a time: verifies, decrypts, and reads the header. Thread-safe. */
public final class EnvelopeOpener implements AutoCloseable {
    private static final String NAME = "opener";

    private final KeyOpening keys;
    private final SignatureCheck signatures;
    private final Clock clock;
    private final LegacyAlgorithms unmatchedLegacy;
    private final Workspaces workspaces = new Workspaces();

    /**
     * An opener of envelopes.
     *
     * @param unmatchedLegacy how old algorithms are treated on addresses without a policy
     */
    public EnvelopeOpener(KeyOpening keys, SignatureCheck signatures, Clock clock, LegacyAlgorithms unmatchedLegacy) {
        this.keys = keys;
        this.signatures = signatures;
        this.clock = clock;
        this.unmatchedLegacy = unmatchedLegacy;
    }

    /** Opens a message that is one envelope. */
    public OpenedMessage open(byte[] bytes, Reception reception) {
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
                        verified.structure().quality(),
                        head.with(payload),
                        payload,
                        verified.signer(),
                        verified.provedSender(head, reception.policy()));
            }
        });
    }

    /** The address that an envelope was sealed for, proven but for the rules of a policy. */
    public String sealedAddress(Slice envelope) {
        return inWorkspace(workspace -> {
            ParsedEnvelope parsed = EnvelopeParser.parse(envelope, workspace.known);
            try (VerifiedContent verified = verify(parsed, null, workspace, workspace.budget())) {
                Slice content = verified.content();
                workspace.entities.header(content.array(), content.offset(), content.length());
                String address = workspace.entities.head().address();
                verified.accept();
                return address;
            }
        });
    }

    /** Something that needs a workspace. */
    @FunctionalInterface
    public interface Work<T, X extends Exception> {
        T in(Workspace workspace) throws X;
    }

    public <T, X extends Exception> T inWorkspace(Work<T, X> work) throws X {
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
    public OpenedPart part(Slice envelope, Reception reception, Workspace workspace, OperationBudget budget) {
        ParsedEnvelope parsed = EnvelopeParser.parseInPlace(envelope, workspace.known);
        VerifiedContent verified = verify(parsed, reception.policy(), workspace, budget);
        try {
            Slice rest = header(verified, reception, workspace);
            Entity head = workspace.entities.head();
            if (rest.length() == Segment.FULL_LENGTH) {
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

    /** Refuses a message in clear, unless the policy lets it through. */
    public void refuseClear(Reception reception) {
        reception.refuseClear(clock.instant());
    }

    private VerifiedContent signed(ParsedEnvelope.Signed envelope, @Nullable Policy policy, OperationBudget budget) {
        refuseWeaker(EnvelopeStructure.Signed.INSTANCE, policy);
        SignatureCheck.Verified signer = signatures.verify(envelope, policy, budget);
        return new VerifiedContent(EnvelopeStructure.Signed.INSTANCE, envelope.content(), signer, null);
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
                return new VerifiedContent(
                        EnvelopeStructure.SignedAndEncrypted.INSTANCE, signer.content(), signer, key);
            }
            refuseWeaker(EnvelopeStructure.Encrypted.INSTANCE, policy);
            return new VerifiedContent(EnvelopeStructure.Encrypted.INSTANCE, decrypted, null, key);
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

    private static void refuseWeaker(EnvelopeStructure found, @Nullable Policy policy) {
        if (policy != null && !found.protectsNoLessThan(EnvelopeStructure.of(policy))) {
            throw new PolicyViolationException(
                    "envelope: quality " + found.quality().label() + " where policy '" + policy.pattern()
                            + "' asks for " + policy.quality().label());
        }
    }

    private static void refuseOtherAddress(String sealed, String address) {
        if (!sealed.equals(address)) {
            throw new AddressMismatchException(
                    "envelope: sealed for address '" + sealed + "', received from '" + address + "'");
        }
    }

    /** What is remembered of the messages so far. Exact while no message is being opened. */
    public Remembered remembered() {
        return new Remembered(
                keys.size(), signatures.certificatesKept(), signatures.bytesKept() + workspaces.bytesKept());
    }

    public long unwraps() {
        return keys.unwraps();
    }

    public boolean isClosed() {
        return workspaces.isClosed();
    }

    @Override
    public void close() {
        keys.close();
        workspaces.close();
    }
}
