/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A named private key with its certificate chain. Immutable. */
public final class Identity {
    private final String name;
    private final PrivateKeyOperations privateKey;
    private final List<X509Certificate> chain;
    private final KeyIdentifier keyIdentifier;
    private final @Nullable Identity companion;

    /**
     * Creates an identity.
     *
     * @param name the name in the home folder
     * @param privateKey the operations of the key of the chain's first certificate
     * @param chain the leaf first, then its issuers
     */
    public Identity(String name, PrivateKeyOperations privateKey, List<X509Certificate> chain) {
        this(name, privateKey, chain, null);
    }

    private Identity(
            String name, PrivateKeyOperations privateKey, List<X509Certificate> chain, @Nullable Identity companion) {
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("chain: identity '" + name + "' has no certificate");
        }
        this.name = name;
        this.privateKey = privateKey;
        this.chain = List.copyOf(chain);
        this.keyIdentifier = KeyIdentifier.of(this.chain.get(0));
        this.companion = companion;
    }

    /** Returns the same identity with this companion, which has the post-quantum keys of the same party. */
    public Identity with(Identity companion) {
        return new Identity(name, privateKey, chain, companion);
    }

    /** Returns the identity that signs beside this one where a policy requires both kinds of keys; null for none. */
    public @Nullable Identity companion() {
        return companion;
    }

    /** Returns the name in the home folder. */
    public String name() {
        return name;
    }

    /** Returns the operations of the private key. */
    public PrivateKeyOperations privateKey() {
        return privateKey;
    }

    /** Returns the leaf certificate. */
    public X509Certificate certificate() {
        return chain.get(0);
    }

    /** Returns the chain: the leaf first, then its issuers. */
    public List<X509Certificate> chain() {
        return chain;
    }

    /** Returns the subject key identifier of the leaf certificate. */
    public KeyIdentifier keyIdentifier() {
        return keyIdentifier;
    }

    @Override
    public String toString() {
        return "Identity[" + name + ", " + keyIdentifier + "]";
    }
}
