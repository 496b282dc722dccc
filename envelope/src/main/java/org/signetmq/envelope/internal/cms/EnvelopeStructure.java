/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;

/**
 * The CMS structure of a quality of protection: the signed part, the encrypted part, and the use of data keys. A new
 * quality begins here; all code of this module asks its structure and never compares qualities.
 */
public enum EnvelopeStructure {
    /** The payload without an envelope. */
    CLEAR(QualityOfProtection.NONE, false, false, false),
    /** SignedData. */
    SIGNED(QualityOfProtection.INTEGRITY, true, false, false),
    /** SignedData inside AuthEnvelopedData. */
    SIGNED_AND_ENCRYPTED(QualityOfProtection.PRIVACY, true, true, false),
    /** AuthEnvelopedData. */
    ENCRYPTED(QualityOfProtection.CONFIDENTIALITY, false, true, true),
    /** AuthEnvelopedData with data keys that the sender's certified key agrees on (RFC 6278). */
    AGREED(QualityOfProtection.AUTHENTICITY, false, true, true);

    private final QualityOfProtection quality;
    private final boolean signed;
    private final boolean encrypted;
    private final boolean sharesDataKeys;

    EnvelopeStructure(QualityOfProtection quality, boolean signed, boolean encrypted, boolean sharesDataKeys) {
        this.quality = quality;
        this.signed = signed;
        this.encrypted = encrypted;
        this.sharesDataKeys = sharesDataKeys;
    }

    /** The structure that a policy asks for. */
    public static EnvelopeStructure of(Policy policy) {
        return switch (policy.quality()) {
            case NONE -> CLEAR;
            case INTEGRITY -> SIGNED;
            case PRIVACY -> SIGNED_AND_ENCRYPTED;
            case CONFIDENTIALITY -> ENCRYPTED;
            case AUTHENTICITY -> AGREED;
        };
    }

    public QualityOfProtection quality() {
        return quality;
    }

    /** Tells whether the entity is the content of SignedData. */
    public boolean isSigned() {
        return signed;
    }

    /** Tells whether the entity, signed or not, is the content of AuthEnvelopedData. */
    public boolean isEncrypted() {
        return encrypted;
    }

    /** Tells whether the sender's certified key agrees on the data keys. */
    public boolean isAgreed() {
        return this == AGREED;
    }

    /** Tells whether messages share data keys within the policy's limits. Otherwise each has its own key. */
    public boolean sharesDataKeys() {
        return sharesDataKeys;
    }

    /** Tells whether a recipient knows the party that sealed the message. */
    public boolean provesSender() {
        return signed || isAgreed();
    }

    public boolean isEnvelope() {
        return signed || encrypted;
    }

    /** Tells whether signature and header are readable without a recipient's key. */
    public boolean hasVisibleSignature() {
        return signed && !encrypted;
    }

    /** Tells whether this structure protects as its quality must protect where the other one does. */
    public boolean protectsNoLessThan(EnvelopeStructure other) {
        return quality.protectsNoLessThan(other.quality);
    }
}
