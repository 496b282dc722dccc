/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.signetmq.envelope.exception.EnvelopeException;
import org.signetmq.envelope.internal.open.EnvelopeOpener.CacheSizes;
import org.signetmq.envelope.message.OpenedMessage;
import org.signetmq.keystore.trust.CertificateTrust;
import org.signetmq.policy.EffectivePolicy;
import org.signetmq.policy.Policy.RequiredKeys;
import org.signetmq.policy.PolicySet;
import org.signetmq.policy.QualityOfProtection;

/** Opens, checks and describes bytes under policies of all qualities, within the budget of {@code docs/format.md}. */
final class OpeningTarget implements AutoCloseable {
    private static final String ADDRESS = FixedParties.ADDRESS;

    private final EnvelopeForge forge;
    private final List<Opener> openers = new ArrayList<>();
    private final List<EffectivePolicy> policies = new ArrayList<>();
    private final EnvelopeCheck check;
    private final CertificateTrust trust;
    private boolean onePolicy;

    OpeningTarget(EnvelopeForge forge) throws IOException, GeneralSecurityException {
        this.forge = forge;
        FixedParties parties = forge.parties();
        trust = parties.trust();
        for (String name : FixedParties.NAMES) {
            for (QualityOfProtection quality : List.of(
                    QualityOfProtection.INTEGRITY, QualityOfProtection.CONFIDENTIALITY, QualityOfProtection.PRIVACY)) {
                add(name, FixedParties.policies(quality, name, List.of()));
            }
        }
        add(FixedParties.KEM, FixedParties.policies(QualityOfProtection.CONFIDENTIALITY, FixedParties.KEM, List.of()));
        String both = FixedParties.NAMES.get(0);
        add(both, FixedParties.policies(QualityOfProtection.AUTHENTICITY, both, List.of()));
        add(both, FixedParties.policies(QualityOfProtection.PRIVACY, both, List.of(both), RequiredKeys.BOTH));
        openers.add(parties.openerOfAll(PolicySet.EMPTY));
        check = parties.check();
        for (EnvelopeForge.Template template : forge.templates()) { // loads classes, which is not a message's cost
            openers.forEach(opener -> open(opener, template.envelope()));
            policies.forEach(policy -> check.satisfies(template.envelope(), ADDRESS, policy, SenderRule.ANY));
        }
    }

    private void add(String name, PolicySet set) throws IOException, GeneralSecurityException {
        policies.add(set.find(ADDRESS).orElseThrow());
        openers.add(forge.parties().opener(name, set, FixedParties.NOW));
    }

    private Cost cost(Runnable work) {
        Cost cost = Cost.of(trust, work);
        return cost.bytes() > Cost.CONSTANT ? cost.withBytesOf(Cost.ofThree(trust, work)) : cost;
    }

    /** Chooses one policy for each message by its last byte, because all of them take a fuzzer long. */
    void chooseOnePolicy() {
        onePolicy = true;
    }

    private <T> List<T> chosen(List<T> all, byte[] bytes) {
        int last = bytes.length == 0 ? 0 : bytes[bytes.length - 1] & 0xff;
        return onePolicy ? List.of(all.get(last % all.size())) : all;
    }

    /** Opens as applications in Java do. */
    void open(byte[] bytes) {
        for (Opener opener : chosen(openers, bytes)) {
            CacheSizes before = opener.remembered();
            AtomicLong given = new AtomicLong(-1);
            Cost cost = cost(() -> given.set(open(opener, bytes)));
            cost.requireWithin(Math.max(bytes.length, given.get()));
            requireForgotten(before, opener.remembered(), given.get() < 0);
        }
    }

    /** Opens as the command line and the client's large messages do. */
    void openSegments(byte[] bytes) {
        for (Opener opener : chosen(openers, bytes)) {
            CacheSizes before = opener.remembered();
            AtomicLong given = new AtomicLong(-1);
            Cost cost = cost(() -> given.set(openSegments(opener, bytes)));
            cost.requireWithin(Math.max(bytes.length, given.get()));
            requireForgotten(before, opener.remembered(), given.get() < 0);
        }
    }

    /** Checks as the broker does. */
    void check(byte[] bytes) {
        for (EffectivePolicy policy : chosen(policies, bytes)) {
            CacheSizes before = check.remembered();
            boolean[] right = {false};
            Cost cost = cost(() -> right[0] = check.satisfies(bytes, ADDRESS, policy, SenderRule.ANY));
            cost.requireWithin(bytes.length);
            assertThat(cost.privateKey()).isZero();
            requireForgotten(before, check.remembered(), !right[0]);
        }
    }

    /** Describes as the command line does. */
    void describe(byte[] bytes) {
        cost(() -> {
                    try {
                        EnvelopeDescription unused = EnvelopeDescription.of(bytes);
                    } catch (EnvelopeException rejected) {
                        requireDocumented(rejected);
                    }
                })
                .requireWithin(bytes.length);
    }

    private static void requireForgotten(CacheSizes before, CacheSizes after, boolean rejected) {
        if (rejected) {
            // a rejection may empty the caches
            assertThat(after.keys()).as("keys of a rejected message").isLessThanOrEqualTo(before.keys());
            assertThat(after.certificates())
                    .as("certificates of a rejected message")
                    .isLessThanOrEqualTo(before.certificates());
            assertThat(after.bytes()).as("bytes of a rejected message").isLessThanOrEqualTo(before.bytes());
        }
        assertThat(after.bytes()).isLessThan(CacheSizes.MOST_BYTES);
    }

    /** Returns the length of the payload, or -1 if the message was rejected. */
    private static long open(Opener opener, byte[] bytes) {
        try {
            return opener.open(bytes, ADDRESS).payload().length;
        } catch (EnvelopeException rejected) {
            requireDocumented(rejected);
            return -1;
        }
    }

    private static long openSegments(Opener opener, byte[] bytes) {
        SegmentOpener segments = opener.openSegments(new ByteArrayInputStream(bytes), ADDRESS);
        long length = 0;
        try {
            for (Optional<OpenedMessage> part = segments.next(); part.isPresent(); part = segments.next()) {
                length += part.get().payload().length;
            }
            return length;
        } catch (EnvelopeException rejected) {
            requireDocumented(rejected);
            return -1;
        } catch (IOException impossible) {
            return fail(impossible);
        }
    }

    /** Requires a short message of the exception. */
    private static void requireDocumented(EnvelopeException rejected) {
        @Nullable String message = rejected.getMessage();
        assertThat(message).isNotNull();
        assertThat(String.valueOf(message).length()).isLessThan(40_000);
    }

    EnvelopeForge forge() {
        return forge;
    }

    @Override
    public void close() {
        openers.forEach(Opener::close);
    }
}
