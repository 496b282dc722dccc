/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.security.MessageDigest;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.signetmq.keystore.CertificateTrust;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.KeyUse;
import org.signetmq.keystore.PregenerationSettings;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.QualityOfProtection;

/**
 * Protects messages. One per broker or client, shared by all its threads: data keys are shared by all of them. Needs no
 * broker and no JMS.
 */
public final class Sealer implements AutoCloseable {
    private static final String NAME = "sealer";

    private final SealingPlans plans;
    private final SignerProfiles signers;
    private final CertificateTrust trust;
    private final Clock clock;
    private final Workspaces workspaces = new Workspaces();

    private Sealer(RecipientDirectory recipients, CertificateTrust trust, Clock clock, PregenerationSettings settings) {
        this.plans = new SealingPlans(recipients, trust, settings);
        this.signers = new SignerProfiles(recipients, trust, clock);
        this.trust = trust;
        this.clock = clock;
    }

    /**
     * A sealer for recipients of this directory.
     *
     * @param recipients finds the certificates that policies name
     * @param trust decides whether they may be used
     */
    public static Sealer create(RecipientDirectory recipients, CertificateTrust trust) {
        return create(recipients, trust, Clock.systemUTC());
    }

    /** As {@link #create(RecipientDirectory, CertificateTrust)}, by this clock. */
    public static Sealer create(RecipientDirectory recipients, CertificateTrust trust, Clock clock) {
        return create(recipients, trust, clock, PregenerationSettings.AUTO);
    }

    /** As {@link #create(RecipientDirectory, CertificateTrust, Clock)}, with keys made ahead of need as these say. */
    public static Sealer create(
            RecipientDirectory recipients, CertificateTrust trust, Clock clock, PregenerationSettings settings) {
        return new Sealer(recipients, trust, clock, settings);
    }

    /** How often a message waited for a data key to be wrapped because none was ready. */
    public long dryTakes() {
        return plans.pregenerator().dryTakes();
    }

    /**
     * Seals a message as the policy says.
     *
     * @param signer who signs, if the policy signs
     * @return one DER envelope (CMS ContentInfo); for quality none the payload itself
     * @throws SignerNotAuthorizedException if the signer is not on the policy's list
     * @throws org.signetmq.keystore.KeystoreUnusableException if a recipient is unknown or a key cannot be used
     * @throws org.signetmq.keystore.CertificateRejectedException if a recipient's or the signer's certificate may not
     *     be used
     * @throws IllegalArgumentException if address, sender and properties are too long for a header
     * @throws IllegalStateException after close
     */
    public byte[] seal(ClearMessage message, EffectivePolicy policy, Identity signer) {
        QualityOfProtection quality = policy.policy().quality();
        if (quality == QualityOfProtection.NONE) {
            return message.payload();
        }
        SignerProfile profile = quality.signs() ? signers.of(signer, policy.policy()) : null;
        Workspace workspace = workspaces.take(NAME);
        SealingPlan plan = plans.of(policy);
        plan.checkRecipients(trust, clock);
        workspace.header.write(message, workspace.newMessageId(), plan.encodedReference(), null);
        SignedDataFrame frame = profile == null ? null : sign(message.payload(), profile, workspace);
        byte[] envelope = quality.encrypts()
                ? encrypt(message.payload(), frame, plan, workspace)
                : assembled(message.payload(), frame, workspace);
        workspaces.giveBack(workspace); // after success alone: what failed is left to the collector
        return envelope;
    }

    private SignedDataFrame sign(byte[] payload, SignerProfile signer, Workspace workspace) {
        HeaderWriter header = workspace.header;
        MessageDigest digest = workspace.digest;
        digest.update(header.buffer(), 0, header.length());
        digest.update(payload);
        return SignedDataFrame.sign(signer, digest.digest(), header.length() + payload.length, clock.instant());
    }

    private static byte[] assembled(byte[] payload, @Nullable SignedDataFrame frame, Workspace workspace) {
        DerWriter writer = new DerWriter(contentLength(payload, frame, workspace));
        write(payload, frame, workspace, writer);
        return writer.finish();
    }

    private byte[] encrypt(byte[] payload, @Nullable SignedDataFrame frame, SealingPlan plan, Workspace workspace) {
        int contentLength = contentLength(payload, frame, workspace);
        try (KeyUse use = keyFor(plan, contentLength)) {
            AuthEnvelopedDataFrame envelope = new AuthEnvelopedDataFrame(use, contentLength);
            write(payload, frame, workspace, envelope.content());
            return envelope.seal(use, workspace.cipherFor(use));
        }
    }

    /** A plan may be replaced between finding and using it: then the new one serves. */
    private KeyUse keyFor(SealingPlan plan, int contentLength) {
        KeyUse use = plan.epochs().next(contentLength);
        while (use == null) {
            use = plans.of(plan.basis().policy()).epochs().next(contentLength);
        }
        return use;
    }

    private static int contentLength(byte[] payload, @Nullable SignedDataFrame frame, Workspace workspace) {
        long length = (long) payload.length + workspace.header.length() + (frame == null ? 0 : frame.length());
        if (length > Integer.MAX_VALUE - HeaderName.MOST_HEADER_BYTES) {
            throw new IllegalArgumentException("message: too large for one envelope: " + payload.length + " bytes");
        }
        return (int) length;
    }

    private static void write(byte[] payload, @Nullable SignedDataFrame frame, Workspace workspace, DerWriter writer) {
        HeaderWriter header = workspace.header;
        if (frame != null) {
            writer.raw(frame.before());
        }
        writer.raw(header.buffer(), 0, header.length()).raw(payload);
        if (frame != null) {
            writer.raw(frame.after());
        }
    }

    /** How many bytes sealing adds at most to the payload of this message under this policy. */
    public int overhead(ClearMessage message, EffectivePolicy policy, Identity signer) {
        QualityOfProtection quality = policy.policy().quality();
        if (quality == QualityOfProtection.NONE) {
            return 0;
        }
        SealingPlan plan = plans.of(policy);
        Workspace workspace = workspaces.take(NAME);
        workspace.header.write(message, workspace.newMessageId(), plan.encodedReference(), null);
        int added = workspace.header.length();
        if (quality.signs()) {
            added += SignedDataFrame.mostLength(signers.of(signer, policy.policy()));
        }
        if (quality.encrypts()) {
            added += AuthEnvelopedDataFrame.overhead(plan.recipientInfosSize(), message.payload().length + added);
        }
        workspaces.giveBack(workspace);
        return added;
    }

    /** Wipes all keys once nobody uses them. Sealing afterwards is an IllegalStateException. */
    @Override
    public void close() {
        plans.close();
        workspaces.close();
    }
}
