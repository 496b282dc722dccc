/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.seal;

import java.security.MessageDigest;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.internal.cms.AuthEnvelopedDataFrame;
import org.signetmq.envelope.internal.cms.EnvelopeStructure;
import org.signetmq.envelope.internal.codec.Workspace;
import org.signetmq.envelope.internal.codec.Workspaces;
import org.signetmq.envelope.internal.der.DerWriter;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.entity.HeaderWriter;
import org.signetmq.envelope.internal.format.HeaderName;
import org.signetmq.envelope.internal.signature.SignedDataFrame;
import org.signetmq.envelope.internal.signature.SignerProfile;
import org.signetmq.envelope.internal.signature.SignerProfiles;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.crypto.KeyUse;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.Policy;

/** Makes envelopes, one at a time, of whole messages and of segments alike. Thread-safe. */
public final class EnvelopeMaker implements AutoCloseable {
    private static final String NAME = "sealer";

    private final SignerProfiles signers;
    private final CertificateTrust trust;
    private final Clock clock;
    private final Workspaces workspaces = new Workspaces();

    public EnvelopeMaker(SignerProfiles signers, CertificateTrust trust, Clock clock) {
        this.signers = signers;
        this.trust = trust;
        this.clock = clock;
    }

    /** Where data keys come from. */
    @FunctionalInterface
    public interface Keys {
        KeyUse next(long contentLength);
    }

    /** A message identifier that no other message has. */
    public byte[] newMessageId() {
        Workspace workspace = workspaces.take(NAME);
        byte[] id = workspace.newMessageId();
        workspaces.giveBack(workspace);
        return id;
    }

    /** An envelope as the policy of the plan says, which is not of quality none. */
    public Slice make(Piece piece, SealingPlan plan, Identity signer, Keys keys) {
        Policy policy = plan.basis().policy().policy();
        EnvelopeStructure structure = EnvelopeStructure.of(policy);
        SignerProfile profile = structure.isSigned() ? signers.of(signer, policy) : null;
        plan.checkRecipients(trust, clock);
        Slice envelope;
        Workspace workspace = workspaces.take(NAME);
        try {
            byte[] messageId = piece.messageIdOr(workspace::newMessageId);
            workspace.header.write(piece.message(), messageId, plan.encodedReference(), piece.segment());
            SignedDataFrame frame = profile == null ? null : sign(piece.payload(), profile, workspace);
            envelope = structure.isEncrypted()
                    ? encrypt(piece, frame, keys, workspace)
                    : assembled(piece, frame, workspace);
        } catch (RuntimeException | Error failed) {
            workspace.close(); // nobody knows in what state it is
            throw failed;
        }
        workspaces.giveBack(workspace);
        return envelope;
    }

    private SignedDataFrame sign(Slice payload, SignerProfile signer, Workspace workspace) {
        HeaderWriter header = workspace.header;
        MessageDigest digest = workspace.digest;
        digest.update(header.buffer(), 0, header.length());
        digest.update(payload.array(), payload.offset(), payload.length());
        return SignedDataFrame.sign(signer, digest.digest(), header.length() + payload.length(), clock.instant());
    }

    private static Slice assembled(Piece piece, @Nullable SignedDataFrame frame, Workspace workspace) {
        DerWriter writer = DerWriter.in(piece.memory(), contentLength(piece.payload(), frame, workspace));
        write(piece.payload(), frame, workspace, writer);
        return writer.whole();
    }

    private static Slice encrypt(Piece piece, @Nullable SignedDataFrame frame, Keys keys, Workspace workspace) {
        int contentLength = contentLength(piece.payload(), frame, workspace);
        try (KeyUse use = keys.next(contentLength)) {
            AuthEnvelopedDataFrame envelope = new AuthEnvelopedDataFrame(use, contentLength, piece.memory());
            write(piece.payload(), frame, workspace, envelope.content());
            return envelope.seal(use, workspace.cipher);
        }
    }

    private static int contentLength(Slice payload, @Nullable SignedDataFrame frame, Workspace workspace) {
        long length = (long) payload.length() + workspace.header.length() + (frame == null ? 0 : frame.length());
        if (length > Integer.MAX_VALUE - HeaderName.MOST_HEADER_BYTES) {
            throw new IllegalArgumentException("message: too large for one envelope: " + payload.length() + " bytes");
        }
        return (int) length;
    }

    private static void write(Slice payload, @Nullable SignedDataFrame frame, Workspace workspace, DerWriter writer) {
        HeaderWriter header = workspace.header;
        if (frame != null) {
            frame.writeBefore(writer);
        }
        writer.raw(header.buffer(), 0, header.length()).raw(payload.array(), payload.offset(), payload.length());
        if (frame != null) {
            frame.writeAfter(writer);
        }
    }

    /** How many bytes an envelope adds at most to this payload. */
    public int overhead(Piece piece, SealingPlan plan, Identity signer) {
        Policy policy = plan.basis().policy().policy();
        Workspace workspace = workspaces.take(NAME);
        byte[] messageId = piece.messageIdOr(workspace::newMessageId);
        workspace.header.write(piece.message(), messageId, plan.encodedReference(), piece.segment());
        int added = workspace.header.length();
        EnvelopeStructure structure = EnvelopeStructure.of(policy);
        if (structure.isSigned()) {
            added += SignedDataFrame.mostLength(signers.of(signer, policy));
        }
        if (structure.isEncrypted()) {
            added += AuthEnvelopedDataFrame.overhead(
                    plan.recipientInfosSize(), piece.payload().length() + added);
        }
        workspaces.giveBack(workspace);
        return added;
    }

    @Override
    public void close() {
        workspaces.close();
    }
}
