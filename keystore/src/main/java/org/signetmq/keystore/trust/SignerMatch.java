/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.trust;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;
import org.signetmq.keystore.internal.x509.Selector;
import org.signetmq.keystore.trust.TrustedCertificate.NameSource;
import org.signetmq.policy.Policy;

/**
 * Decides whether a policy names a signer. A key identifier means a key in {@code recipients/}. A name means the
 * current and former keys of a file there. A DN means the only party of the home with that DN. A DN with {@code ;
 * issuer=NAME} means each key that the trusted issuer certified under that DN. The certificate's own claims never
 * decide. Thread-safe.
 */
public final class SignerMatch {
    private static final int MAX_ANSWERS = 1024;
    private static final long MAX_KEPT_BYTES = 1L << 20;

    /** The inputs of an answer. The sender chooses the path, so one certificate can have several kinds of trust. */
    private record Question(X509Certificate signer, NameSource nameSource, Set<String> issuers, String selector) {
        static Question of(TrustedCertificate signer, String selector) {
            return new Question(signer.certificate(), signer.nameSource(), signer.issuers(), selector);
        }
    }

    /**
     * The answers so far.
     *
     * @param bytes the length of the certificates of all questions
     */
    private record Answers(long version, ConcurrentHashMap<Question, Boolean> known, AtomicLong bytes) {
        static Answers none(long version) {
            return new Answers(version, new ConcurrentHashMap<>(), new AtomicLong());
        }

        void remember(Question question, boolean answer) {
            int length = Certificates.length(question.signer());
            if (known.size() >= MAX_ANSWERS || bytes.addAndGet(length) > MAX_KEPT_BYTES) {
                known.clear();
                bytes.set(length);
            }
            known.put(question, answer);
        }
    }

    private final RecipientDirectory directory;
    private final LongSupplier version;
    private volatile Answers answers = Answers.none(-1);

    /** Creates a match by this directory, for signers that this trust accepted. */
    public SignerMatch(RecipientDirectory directory, CertificateTrust trust) {
        this.directory = directory;
        this.version = () -> directory.version() + trust.version();
    }

    /** Tells whether the selector (name, DN, DN with issuer, or {@code ski:}) means the signer. */
    public boolean matches(TrustedCertificate signer, String selector) {
        Answers current = current();
        Question question = Question.of(signer, selector);
        Boolean known = current.known().get(question);
        if (known != null) {
            return known;
        }
        boolean answer = find(signer, selector);
        current.remember(question, answer);
        return answer;
    }

    /**
     * Tells whether one of the names means the signer, and its companion with post-quantum keys the other one.
     *
     * @param names without key identifiers and distinguished names
     */
    public boolean areBoth(TrustedCertificate signer, TrustedCertificate postQuantum, List<String> names) {
        return names.stream()
                .anyMatch(name -> matches(signer, name) && matches(postQuantum, Policy.RequiredKeys.companionOf(name)));
    }

    private Answers current() {
        Answers current = answers;
        long now = version.getAsLong();
        if (current.version() != now) {
            current = Answers.none(now);
            answers = current;
        }
        return current;
    }

    private boolean find(TrustedCertificate signer, String text) {
        Selector selector = Selector.parse(text).orElse(null);
        if (selector instanceof Selector.ByDn dn) {
            return signer.isKnownAs(dn.name());
        }
        if (selector instanceof Selector.ByIssuedDn dn) {
            return signer.isIssuedUnder(dn.issuer()) && signer.isNamed(dn.name());
        }
        if (selector == null) {
            return false;
        }
        boolean isName = selector instanceof Selector.ByName;
        return isKeyNow(signer, text, isName) || (isName && isKnownKey(signer) && isKeyNow(signer, text, true));
    }

    /** Tells whether the directory has the key. It looks for new files first if it has not. */
    private boolean isKnownKey(TrustedCertificate signer) {
        try {
            return !directory.find(KeyIdentifier.ofKey(signer.certificate())).isEmpty();
        } catch (KeystoreUnusableException shared) {
            return false;
        }
    }

    private boolean isKeyNow(TrustedCertificate signer, String text, boolean isName) {
        return isKey(signer, text) || (isName && isFormerKey(signer, text));
    }

    private boolean isFormerKey(TrustedCertificate signer, String name) {
        for (Recipient entry : directory.former()) {
            if (entry.name().equals(name)
                    && PublicKeyInfo.of(entry.certificate()).equals(signer.key())) {
                return true;
            }
        }
        return false;
    }

    private boolean isKey(TrustedCertificate signer, String text) {
        try {
            return directory
                    .find(text)
                    .filter(entry -> PublicKeyInfo.of(entry.certificate()).equals(signer.key()))
                    .isPresent();
        } catch (KeystoreUnusableException shared) {
            return false;
        }
    }
}
