/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.signetmq.envelope.message.ClearMessage;
import org.signetmq.keystore.Identity;
import org.signetmq.keystore.IdentityRequest;
import org.signetmq.keystore.KeyAlgorithm;
import org.signetmq.keystore.home.Home;
import org.signetmq.keystore.home.Password;
import org.signetmq.policy.Policy;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.UnmatchedAddress;

/** Real identities in a real home, for tests. */
public final class Parties implements AutoCloseable {
    public static final String ADDRESS = "orders.eu";

    final Home home;
    private final Map<String, Identity> identities = new ConcurrentHashMap<>();
    private final List<Runnable> toClose = new ArrayList<>();

    public Parties(Path folder) {
        this.home = new Home(folder);
    }

    public Identity identity(String name, KeyAlgorithm algorithm) {
        return identities.computeIfAbsent(name, unused -> {
            try (Password password = Password.takeOwnershipOf("test-password".toCharArray())) {
                return home.identityStore()
                        .create(new IdentityRequest(name, "CN=" + name + ",O=Example", algorithm, null), password);
            }
        });
    }

    /** Creates this number of identities of one kind, and returns their names. */
    List<String> several(KeyAlgorithm algorithm, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            names.add(identity(algorithm.label() + "-" + i, algorithm).name());
        }
        return names;
    }

    Sealer sealer() {
        Sealer sealer = Sealer.create(home.recipientDirectory(), home.certificateTrust());
        toClose.add(sealer::close);
        return sealer;
    }

    public Opener opener(Collection<Identity> keys, PolicySet policies) {
        Opener opener = Opener.create(
                new Opener.Keys(keys, home.recipientDirectory(), home.certificateTrust()), () -> policies);
        toClose.add(opener::close);
        return opener;
    }

    public static PolicySet policies(Policy... policies) {
        return PolicySet.of(17, UnmatchedAddress.PASS, Arrays.asList(policies));
    }

    /** Seals once, for {@link #ADDRESS}. */
    public byte[] seal(ClearMessage message, PolicySet policies, Identity signer) {
        return sealer().seal(message, policies.find(message.address()).orElseThrow(), signer);
    }

    @Override
    public void close() {
        toClose.forEach(Runnable::run);
    }

    /** Opens an envelope, and returns its whole MIME entity. */
    static byte[] entity(Opener opener, byte[] envelope, String address) {
        ByteArrayOutputStream entity = new ByteArrayOutputStream();
        try {
            opener.openSegments(new ByteArrayInputStream(envelope), address).transferEntityTo(entity, written -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return entity.toByteArray();
    }
}
