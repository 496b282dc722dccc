/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.signetmq.policy.Amounts;
import org.signetmq.policy.KeyLimits;
import org.signetmq.policy.QualityOfProtection;
import org.signetmq.policy.internal.text.PolicyKeys;
import org.signetmq.policy.internal.text.Quoted;

/** Reads the limits of one data key from a policy. */
final class KeyLimitsReader {
    /** The highest age that a policy may set. NIST SP 800-57, 5.3.6 recommends no longer use by an originator. */
    static final Duration MOST_AGE = Duration.ofDays(365);

    private KeyLimitsReader() {}

    /** Returns the limits of a policy that names none. */
    static KeyLimits defaultsOf(QualityOfProtection quality) {
        return quality == QualityOfProtection.CONFIDENTIALITY ? KeyLimits.DEFAULT : KeyLimits.FRESH_KEY;
    }

    static KeyLimits read(JsonObject policy, KeyLimits defaults) {
        return new KeyLimits(
                messages(policy).orElse(defaults.messages()),
                bytes(policy).orElse(defaults.bytes()),
                age(policy).orElse(defaults.age()));
    }

    private static OptionalLong messages(JsonObject policy) {
        Optional<JsonNode> value = policy.field(PolicyKeys.KEY_REUSE);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (value.get().isTextual() && value.get().textValue().equals(PolicyKeys.UNLIMITED)) {
            return OptionalLong.of(KeyLimits.MOST_MESSAGES);
        }
        OptionalLong number = JsonObject.wholeNumber(value.get(), 0, KeyLimits.MOST_MESSAGES);
        if (number.isEmpty()) {
            policy.reject(
                    PolicyKeys.KEY_REUSE,
                    "no number of messages, found " + JsonObject.describe(value.get())
                            + "; write 0 for a fresh key each, a whole number up to " + KeyLimits.MOST_MESSAGES
                            + ", or \"unlimited\"");
            return number;
        }
        return OptionalLong.of(Math.max(1, number.getAsLong())); // 0 and 1 both mean a fresh key for each message
    }

    private static OptionalLong bytes(JsonObject policy) {
        Optional<JsonNode> value = policy.field(PolicyKeys.MAX_BYTES);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong bytes = value.get().isTextual()
                ? Amounts.bytes(value.get().textValue())
                : JsonObject.wholeNumber(value.get(), 1, KeyLimits.MOST_BYTES);
        if (bytes.isEmpty() || bytes.getAsLong() < 1 || bytes.getAsLong() > KeyLimits.MOST_BYTES) {
            policy.reject(
                    PolicyKeys.MAX_BYTES,
                    "no size from 1 byte to " + Amounts.format(KeyLimits.MOST_BYTES) + ", found "
                            + JsonObject.describe(value.get())
                            + "; write a number of bytes, or a size such as \"512MiB\" (B, KiB, MiB, GiB, TiB)");
            return OptionalLong.empty();
        }
        return bytes;
    }

    private static Optional<Duration> age(JsonObject policy) {
        Optional<String> text = policy.text(PolicyKeys.MAX_AGE);
        Optional<Duration> age = text.flatMap(Amounts::duration)
                .filter(found -> !found.isNegative() && !found.isZero() && found.compareTo(MOST_AGE) <= 0);
        if (text.isPresent() && age.isEmpty()) {
            policy.reject(
                    PolicyKeys.MAX_AGE,
                    "no duration above zero and up to " + MOST_AGE.toDays() + " days, found " + Quoted.text(text.get())
                            + "; write one such as \"90s\", \"30m\", \"1h\", \"7d\" or \"PT1H30M\"");
        }
        return age;
    }
}
