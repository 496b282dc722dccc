/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.signetmq.keystore.Certificates;
import org.signetmq.keystore.KeyIdentifier;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;

/** Finds the certificates of signers, in the message or in the directory. Each is parsed once. Thread-safe. */
final class SignerCertificates {
    private static final int MOST_KEPT = 1024;

    private final RecipientDirectory directory;
    private final Map<ByteBuffer, SignerCertificate> parsed = new ConcurrentHashMap<>();
    private final Map<X509Certificate, SignerCertificate> known = new ConcurrentHashMap<>();

    SignerCertificates(RecipientDirectory directory) {
        this.directory = directory;
    }

    /** All certificates that came along. */
    List<SignerCertificate> carried(ParsedEnvelope.Signed envelope) {
        List<SignerCertificate> carried = new ArrayList<>(1);
        for (Slice slice : envelope.certificates()) {
            carried.add(parse(slice));
        }
        return carried;
    }

    /**
     * Those that the signer may be: of the ones carried along, or if none came of the directory. A message that carries
     * certificates but not its signer's was changed on its way.
     */
    List<SignerCertificate> candidates(PartyIdentifier signer, List<SignerCertificate> carried) {
        List<SignerCertificate> candidates = new ArrayList<>(1);
        for (SignerCertificate candidate : carried.isEmpty() ? known(signer) : carried) {
            if (candidate.isNamedBy(signer)) {
                candidates.add(candidate);
            }
        }
        return candidates;
    }

    private List<SignerCertificate> known(PartyIdentifier signer) {
        List<Recipient> entries = signer.keyIdentifier() != null
                ? directory.find(KeyIdentifier.of(signer.keyIdentifier().copy()))
                : directory.all();
        List<SignerCertificate> found = new ArrayList<>(entries.size());
        for (Recipient entry : entries) {
            found.add(of(entry.certificate()));
        }
        return found;
    }

    private SignerCertificate of(X509Certificate certificate) {
        if (known.size() >= MOST_KEPT) {
            known.clear();
        }
        return known.computeIfAbsent(certificate, SignerCertificate::new);
    }

    private SignerCertificate parse(Slice slice) {
        SignerCertificate found = parsed.get(ByteBuffer.wrap(slice.array(), slice.offset(), slice.length()));
        if (found != null) {
            return found;
        }
        byte[] der = slice.copy();
        SignerCertificate fresh;
        try {
            fresh = new SignerCertificate(Certificates.fromDer(der));
        } catch (KeystoreUnusableException unreadable) {
            throw new MalformedEnvelopeException("envelope: a certificate in it cannot be read");
        }
        if (parsed.size() >= MOST_KEPT) {
            parsed.clear();
        }
        parsed.put(ByteBuffer.wrap(der), fresh);
        return fresh;
    }
}
