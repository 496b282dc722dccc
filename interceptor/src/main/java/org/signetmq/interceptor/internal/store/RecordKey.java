/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.store;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The key of a record of a generation.
 *
 * @param generation the number of the generation, from 1 on
 * @param index the place of the record in the document, from 0 on; {@link #SEAL} for the seal
 */
record RecordKey(long generation, int index) {
    private static final int SEAL = -1;
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})\\.([0-9]{1,6}|seal)");

    static RecordKey of(long generation, int index) {
        return new RecordKey(generation, index);
    }

    static RecordKey sealOf(long generation) {
        return new RecordKey(generation, SEAL);
    }

    /** Returns the key with this text; empty for a text of another kind. */
    static Optional<RecordKey> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        int index = parts.group(2).equals("seal") ? SEAL : Integer.parseInt(parts.group(2));
        RecordKey key = new RecordKey(Long.parseLong(parts.group(1)), index);
        return Optional.of(key).filter(known -> known.text().equals(text));
    }

    boolean isSeal() {
        return index == SEAL;
    }

    String text() {
        return generation + "." + (isSeal() ? "seal" : String.valueOf(index));
    }
}
