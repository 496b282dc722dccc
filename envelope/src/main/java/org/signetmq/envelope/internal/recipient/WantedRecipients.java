/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.internal.recipient;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.PolicyViolationException;
import org.signetmq.envelope.internal.cms.PartyIdentifier;
import org.signetmq.envelope.internal.cms.PartyNames;
import org.signetmq.envelope.internal.cms.RecipientEntry;
import org.signetmq.envelope.internal.der.Slice;
import org.signetmq.envelope.internal.format.Limits;
import org.signetmq.keystore.KeystoreUnusableException;
import org.signetmq.keystore.PublicKeyInfo;
import org.signetmq.keystore.Recipient;
import org.signetmq.keystore.RecipientDirectory;

/** The recipients of a policy, found in the directory, by all that an envelope may call them. Immutable. */
public final class WantedRecipients {
    /** More than any number of recipients, also after counting on. */
    private static final int TOO_MANY = Integer.MIN_VALUE;

    private final int count;
    private final Map<ByteBuffer, BitSet> byKeyIdentifier = new HashMap<>();
    private final Map<ByteBuffer, BitSet> byIssuerAndSerial = new HashMap<>();

    private WantedRecipients(List<Recipient> recipients) {
        Map<PublicKeyInfo, Integer> numbers = new HashMap<>();
        for (Recipient recipient : recipients) {
            int number = numbers.computeIfAbsent(PublicKeyInfo.of(recipient.certificate()), key -> numbers.size());
            PartyNames names = PartyNames.of(recipient.certificate());
            add(byKeyIdentifier, names.keyIdentifier(), number);
            add(byIssuerAndSerial, names.issuerAndSerial(), number);
        }
        this.count = numbers.size();
    }

    private static void add(Map<ByteBuffer, BitSet> names, byte[] name, int number) {
        names.computeIfAbsent(ByteBuffer.wrap(name), unused -> new BitSet()).set(number);
    }

    /** Those that these selectors mean; empty if the directory does not know one of them, or not for sure. */
    public static Optional<WantedRecipients> of(List<String> selectors, RecipientDirectory directory) {
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
        return Optional.of(new WantedRecipients(recipients));
    }

    /**
     * Whether the data key is wrapped for all of these and nobody else.
     *
     * @throws PolicyViolationException if a recipient info is of a kind that Signet does not know
     */
    public boolean areThoseOf(List<RecipientEntry> entries) {
        BitSet found = new BitSet(count);
        int named = 0;
        for (int i = 0; i < entries.size(); i++) {
            RecipientEntry entry = entries.get(i);
            if (entry instanceof RecipientEntry.Transport transport) {
                named = mark(transport.recipient(), found) ? named + 1 : TOO_MANY;
            } else if (entry instanceof RecipientEntry.Agreement agreement) {
                for (RecipientEntry.WrappedKey key : agreement.keys()) {
                    named = mark(key.recipient(), found) ? named + 1 : TOO_MANY;
                }
            } else {
                throw new PolicyViolationException("envelope: a recipient of a kind that is not known here");
            }
            if (named < 0 || named > Limits.TRIES_PER_KEY * count) {
                return false; // another could read it, or a reader would not try all that names it
            }
        }
        return found.cardinality() == count;
    }

    /** Whether the party is one of these. */
    private boolean mark(PartyIdentifier party, BitSet found) {
        BitSet meant = meant(party);
        if (meant == null) {
            return false;
        }
        found.or(meant);
        return true;
    }

    private @Nullable BitSet meant(PartyIdentifier party) {
        Slice keyIdentifier = party.keyIdentifier();
        if (keyIdentifier != null) {
            return byKeyIdentifier.get(buffer(keyIdentifier));
        }
        Slice issuerAndSerial = party.issuerAndSerial();
        return issuerAndSerial == null ? null : byIssuerAndSerial.get(buffer(issuerAndSerial));
    }

    private static ByteBuffer buffer(Slice name) {
        return ByteBuffer.wrap(name.array(), name.offset(), name.length());
    }
}
