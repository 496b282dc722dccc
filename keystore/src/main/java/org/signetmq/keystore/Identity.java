/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore;

import java.security.cert.X509Certificate;
import java.util.List;

/** A name with the operations of a private key and its certificate chain. Immutable. */
public final class Identity {
    private final String name;
    private final PrivateKeyOperations privateKey;
    private final List<X509Certificate> chain;
    private final KeyIdentifier keyIdentifier;

    /**
     * An identity of these parts.
     *
     * @param name as in the home folder
     * @param privateKey the operations of the key of the chain's first certificate
     * @param chain the leaf first, then its issuers
     */
    public Identity(String name, PrivateKeyOperations privateKey, List<X509Certificate> chain) {
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("chain: identity '" + name + "' has no certificate");
        }
        this.name = name;
        this.privateKey = privateKey;
        this.chain = List.copyOf(chain);
        this.keyIdentifier = KeyIdentifier.of(this.chain.get(0));
    }

    public String name() {
        return name;
    }

    public PrivateKeyOperations privateKey() {
        return privateKey;
    }

    /** The leaf certificate. */
    public X509Certificate certificate() {
        return chain.get(0);
    }

    /** The leaf first, then its issuers. */
    public List<X509Certificate> chain() {
        return chain;
    }

    /** The subject key identifier of the leaf certificate. */
    public KeyIdentifier keyIdentifier() {
        return keyIdentifier;
    }

    @Override
    public String toString() {
        return "Identity[" + name + ", " + keyIdentifier + "]";
    }
}
