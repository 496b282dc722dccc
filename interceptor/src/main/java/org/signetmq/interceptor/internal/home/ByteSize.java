/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.home;

import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as properties say them: bytes, or with a unit. */
final class ByteSize {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12}) ?(B|KiB|MiB|GiB)?");
    private static final Map<String, Integer> BITS = Map.of("B", 0, "KiB", 10, "MiB", 20, "GiB", 30);

    private ByteSize() {}

    /** The bytes; empty if the text is no size. */
    static OptionalLong parse(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            return OptionalLong.empty();
        }
        String unit = size.group(2);
        return OptionalLong.of(Long.parseLong(size.group(1)) << BITS.getOrDefault(unit == null ? "B" : unit, 0));
    }
}
