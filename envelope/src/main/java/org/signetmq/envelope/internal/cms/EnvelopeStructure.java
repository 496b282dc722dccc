/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.cms;

import org.signetmq.policy.Policy;
import org.signetmq.policy.QualityOfProtection;

/**
 * The CMS structure of a quality of protection: what is signed, what is encrypted, and which data keys serve it. A new
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

    /** Whether the entity is the content of SignedData. */
    boolean isSigned();

    /** Whether the entity, signed or not, is the content of AuthEnvelopedData. */
    boolean isEncrypted();

    /** Whether messages share data keys within the limits of their policy. Otherwise each message has its own key. */
    default boolean sharesDataKeys() {
        return false;
    }

    default boolean isEnvelope() {
        return isSigned() || isEncrypted();
    }

    /** Whether signature and header are readable without a recipient's key. */
    default boolean hasVisibleSignature() {
        return isSigned() && !isEncrypted();
    }

    /** Whether this structure signs where the other does, and encrypts where the other does. */
    default boolean protectsNoLessThan(EnvelopeStructure other) {
        return (isSigned() || !other.isSigned()) && (isEncrypted() || !other.isEncrypted());
    }

    /** The payload without an envelope. */
    record Clear() implements EnvelopeStructure {
        public static final Clear INSTANCE = new Clear();

        @Override
        public QualityOfProtection quality() {
            return QualityOfProtection.NONE;
        }

        @Override
        public boolean isSigned() {
            return false;
        }

        @Override
        public boolean isEncrypted() {
            return false;
        }
    }

    /** SignedData. */
    record Signed() implements EnvelopeStructure {
        public static final Signed INSTANCE = new Signed();

        @Override
        public QualityOfProtection quality() {
            return QualityOfProtection.INTEGRITY;
        }

        @Override
        public boolean isSigned() {
            return true;
        }

        @Override
        public boolean isEncrypted() {
            return false;
        }
    }

    /** AuthEnvelopedData. */
    record Encrypted() implements EnvelopeStructure {
        public static final Encrypted INSTANCE = new Encrypted();

        @Override
        public QualityOfProtection quality() {
            return QualityOfProtection.CONFIDENTIALITY;
        }

        @Override
        public boolean isSigned() {
            return false;
        }

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
    record SignedAndEncrypted() implements EnvelopeStructure {
        public static final SignedAndEncrypted INSTANCE = new SignedAndEncrypted();

        @Override
        public QualityOfProtection quality() {
            return QualityOfProtection.PRIVACY;
        }

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
