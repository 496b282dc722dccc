/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.internal.cms.CertificateIdentifiers;
import org.signetmq.envelope.internal.cms.PartyIdentifier;
import org.signetmq.envelope.internal.cms.RecipientInfo;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;

/** The recipients of a policy, by all their identifiers in envelopes. Immutable. */
public final class PolicyRecipients {
    /** Stands for a recipient that the policy does not name; stays negative after further counting. */
    private static final int TOO_MANY = Integer.MIN_VALUE;

    private final int count;
    private final Map<ByteBuffer, BitSet> byKeyIdentifier = new HashMap<>();
    private final Map<ByteBuffer, BitSet> byIssuerAndSerial = new HashMap<>();

    private PolicyRecipients(List<Recipient> recipients, List<Recipient> former) {
        Map<PublicKeyInfo, Integer> numbers = new HashMap<>();
        for (Recipient recipient : recipients) {
            int number = numbers.computeIfAbsent(PublicKeyInfo.of(recipient.certificate()), key -> numbers.size());
            add(recipient, number);
            if (!former.contains(recipient)) {
                // a message on its way may be for a former key of the recipient
                former.stream()
                        .filter(entry -> entry.name().equals(recipient.name()))
                        .forEach(entry -> add(entry, number));
            }
        }
        this.count = numbers.size();
    }

    private void add(Recipient recipient, int number) {
        CertificateIdentifiers names = CertificateIdentifiers.of(recipient.certificate());
        add(byKeyIdentifier, names.keyIdentifier(), number);
        add(byIssuerAndSerial, names.issuerAndSerial(), number);
    }

    private static void add(Map<ByteBuffer, BitSet> names, byte[] name, int number) {
        names.computeIfAbsent(ByteBuffer.wrap(name), unused -> new BitSet()).set(number);
    }

    /** Finds the recipients of the selectors. Returns empty if a selector matches no certificate, or several. */
    public static Optional<PolicyRecipients> of(List<String> selectors, RecipientDirectory directory) {
        List<Recipient> recipients = new ArrayList<>(selectors.size());
        try {
            for (String selector : selectors) {
                Optional<Recipient> recipient = directory.find(selector);
                if (recipient.isEmpty()) {
                    return Optional.empty();
                }
                recipients.add(recipient.get());
            }
        } catch (KeystoreUnusableException shared) {
            return Optional.empty();
        }
        return Optional.of(new PolicyRecipients(recipients, directory.former()));
    }

    /**
     * Tells whether the data key is wrapped for exactly these recipients. A recipient counts with its current key or a
     * former one.
     *
     * @throws PolicyViolationException if a recipient info is of an unknown kind
     */
    public boolean areThoseOf(List<RecipientInfo> entries) {
        BitSet found = new BitSet(count);
        int named = 0;
        for (int i = 0; i < entries.size(); i++) {
            RecipientInfo entry = entries.get(i);
            if (entry instanceof RecipientInfo.Transport transport) {
                named = mark(transport.recipient(), found) ? named + 1 : TOO_MANY;
            } else if (entry instanceof RecipientInfo.Agreement agreement) {
                for (RecipientInfo.WrappedKey key : agreement.keys()) {
                    named = mark(key.recipient(), found) ? named + 1 : TOO_MANY;
                }
            } else {
                throw new PolicyViolationException("envelope: its data key is protected by "
                        + ((RecipientInfo.Unknown) entry).algorithm() + "; " + LegacyAlgorithmCheck.ADVICE);
            }
            if (named < 0 || named > Limits.TRIES_PER_KEY * count) {
                return false; // another party can read it, or a reader would not try every entry for it
            }
        }
        return found.cardinality() == count;
    }

    /** Marks the recipients that the identifier means. Returns whether there are any. */
    private boolean mark(PartyIdentifier party, BitSet found) {
        Slice keyIdentifier = party.keyIdentifier();
        Slice issuerAndSerial = party.issuerAndSerial();
        BitSet meant = null;
        if (keyIdentifier != null) {
            meant = byKeyIdentifier.get(keyIdentifier.buffer());
        } else if (issuerAndSerial != null) {
            meant = byIssuerAndSerial.get(issuerAndSerial.buffer());
        }
        if (meant != null) {
            found.or(meant);
        }
        return meant != null;
    }
}
