/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides whether a signer is the one that a policy names. A name or key identifier is looked up in the directory, and
 * what is found must have the signer's public key: a renewed certificate of the same key matches, a certificate that
 * merely claims an identifier does not. A DN is compared with the signer's own, so the signer's certificate must have
 * been found trusted before. Thread-safe.
 */
public final class SignerMatch {
    private static final int MAX_ANSWERS = 4096;

    private record Question(X509Certificate signer, String selector) {}

    private record Answers(long version, ConcurrentHashMap<Question, Boolean> known) {}

    private final RecipientDirectory directory;
    private volatile Answers answers = new Answers(-1, new ConcurrentHashMap<>());

    /** Answers from this directory. */
    public SignerMatch(RecipientDirectory directory) {
        this.directory = directory;
    }

    /** Whether the trusted signer is the one that the selector (name, DN or {@code ski:}) stands for. */
    public boolean matches(X509Certificate signer, String selector) {
        Answers current = current();
        Question question = new Question(signer, selector);
        Boolean known = current.known().get(question);
        if (known != null) {
            return known;
        }
        boolean answer = find(signer, selector);
        if (current.known().size() >= MAX_ANSWERS) {
            current.known().clear();
        }
        current.known().put(question, answer);
        return answer;
    }

    private Answers current() {
        Answers current = answers;
        long version = directory.version();
        if (current.version() != version) {
            current = new Answers(version, new ConcurrentHashMap<>());
            answers = current;
        }
        return current;
    }

    private boolean find(X509Certificate signer, String text) {
        Optional<Selector> parsed = Selector.parse(text);
        if (parsed.isEmpty()) {
            return false;
        }
        Selector selector = parsed.get();
        if (selector instanceof Selector.ByDn dn) {
            return DistinguishedName.of(signer.getSubjectX500Principal()).equals(dn.name());
        }
        if (selector instanceof Selector.ByKey key) {
            return directory.find(key.identifier()).stream().anyMatch(entry -> sameKey(entry.certificate(), signer));
        }
        return directory
                .find(text)
                .filter(entry -> sameKey(entry.certificate(), signer))
                .isPresent();
    }

    private static boolean sameKey(X509Certificate one, X509Certificate other) {
        return Arrays.equals(KeyRules.publicKeyInfo(one), KeyRules.publicKeyInfo(other));
    }
}
