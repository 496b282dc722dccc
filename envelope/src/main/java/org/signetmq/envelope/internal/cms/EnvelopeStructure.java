/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;

/**
 * The CMS structure of a quality of protection: the signed part, the encrypted part, and the use of data keys. A new
 * quality begins here; all code of this module asks its structure and never compares qualities.
 */
public sealed interface EnvelopeStructure {
    /** The structure that a policy asks for. */
    static EnvelopeStructure of(Policy policy) {
        return switch (policy.quality()) {
            case NONE -> Clear.INSTANCE;
            case INTEGRITY -> Signed.INSTANCE;
            case PRIVACY -> SignedAndEncrypted.INSTANCE;
            case CONFIDENTIALITY -> Encrypted.INSTANCE;
        };
    }

    QualityOfProtection quality();

    /** Tells whether the entity is the content of SignedData. */
    default boolean isSigned() {
        return false;
    }

    /** Tells whether the entity, signed or not, is the content of AuthEnvelopedData. */
    default boolean isEncrypted() {
        return false;
    }

    /** Tells whether messages share data keys within the policy's limits. Otherwise each has its own key. */
    default boolean sharesDataKeys() {
        return false;
    }

    default boolean isEnvelope() {
        return isSigned() || isEncrypted();
    }

    /** Tells whether signature and header are readable without a recipient's key. */
    default boolean hasVisibleSignature() {
        return isSigned() && !isEncrypted();
    }

    /** Tells whether this structure signs where the other does, and encrypts where the other does. */
    default boolean protectsNoLessThan(EnvelopeStructure other) {
        return (isSigned() || !other.isSigned()) && (isEncrypted() || !other.isEncrypted());
    }

    /** The payload without an envelope. */
    record Clear(QualityOfProtection quality) implements EnvelopeStructure {
        public static final Clear INSTANCE = new Clear(QualityOfProtection.NONE);
    }

    /** SignedData. */
    record Signed(QualityOfProtection quality) implements EnvelopeStructure {
        public static final Signed INSTANCE = new Signed(QualityOfProtection.INTEGRITY);

        @Override
        public boolean isSigned() {
            return true;
        }
    }

    /** AuthEnvelopedData. */
    record Encrypted(QualityOfProtection quality) implements EnvelopeStructure {
        public static final Encrypted INSTANCE = new Encrypted(QualityOfProtection.CONFIDENTIALITY);

        @Override
        public boolean isEncrypted() {
            return true;
        }

        @Override
        public boolean sharesDataKeys() {
            return true;
        }
    }

    /** SignedData inside AuthEnvelopedData. */
    record SignedAndEncrypted(QualityOfProtection quality) implements EnvelopeStructure {
        public static final SignedAndEncrypted INSTANCE = new SignedAndEncrypted(QualityOfProtection.PRIVACY);

        @Override
        public boolean isSigned() {
            return true;
        }

        @Override
        public boolean isEncrypted() {
            return true;
        }
    }
}
