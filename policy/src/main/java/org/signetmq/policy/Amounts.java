/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads and writes sizes ({@code 1GiB}) and durations ({@code 1h}, {@code PT1H}) of policies.
 *
 * @since 0.1.0
 */
public final class Amounts {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15}) ?(B|KiB|MiB|GiB|TiB)");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9}) ?(ms|s|m|h|d)");
    /** The units of sizes, each 1024 times the one before. */
    private static final List<String> BINARY = List.of("B", "KiB", "MiB", "GiB", "TiB");

    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);

    private Amounts() {}

    /** Returns the bytes of a size, at most {@link Long#MAX_VALUE}; empty if the text is no size. */
    public static OptionalLong bytes(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            return OptionalLong.empty();
        }
        long count = Long.parseLong(size.group(1));
        int bits = 10 * BINARY.indexOf(size.group(2));
        return OptionalLong.of(count > Long.MAX_VALUE >> bits ? Long.MAX_VALUE : count << bits);
    }

    /** Returns the duration; empty if the text is no duration. */
    public static Optional<Duration> duration(String text) {
        Matcher counted = DURATION.matcher(text);
        if (counted.matches()) {
            ChronoUnit unit = UNITS.getOrDefault(counted.group(2), ChronoUnit.SECONDS);
            return Optional.of(Duration.of(Long.parseLong(counted.group(1)), unit));
        }
        try {
            return Optional.of(Duration.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns the text that {@link #bytes} reads back, in the largest unit that leaves no remainder. */
    public static String format(long bytes) {
        int unit = Math.min(Long.numberOfTrailingZeros(bytes) / 10, BINARY.size() - 1);
        return (bytes >> (10 * unit)) + BINARY.get(unit);
    }

    /** Returns the text that {@link #duration} reads back, in the largest unit that leaves no remainder. */
    public static String format(Duration duration) {
        for (String unit : List.of("d", "h", "m", "s", "ms")) {
            Duration one = Duration.of(1, UNITS.getOrDefault(unit, ChronoUnit.SECONDS));
            Duration whole = one.multipliedBy(duration.dividedBy(one));
            if (whole.equals(duration) && !duration.isNegative()) {
                return duration.dividedBy(one) + unit;
            }
        }
        return duration.toString();
    }
}
