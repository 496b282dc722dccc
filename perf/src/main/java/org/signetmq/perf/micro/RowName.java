/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.micro;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The name of a row: words between dots, then a payload size if it is not {@value #DEFAULT_SIZE} bytes, then {@code rN}
 * for N recipients if not one.
 *
 * @param words such as seal, confidentiality, 32, p256
 * @param size of the payload in bytes
 * @param recipients how many
 */
record RowName(List<String> words, int size, int recipients) {
    static final int DEFAULT_SIZE = 2048;

    static RowName parse(String name) {
        List<String> words = new ArrayList<>(Arrays.asList(name.split("\\.", -1)));
        int recipients = 1;
        int size = DEFAULT_SIZE;
        String last = words.get(words.size() - 1);
        if (last.matches("r\\d+")) {
            recipients = Integer.parseInt(last.substring(1));
            words.remove(words.size() - 1);
            last = words.get(words.size() - 1);
        }
        boolean sized = last.matches("\\d{3,}") && !words.get(0).equals("peer");
        if (sized) {
            size = Integer.parseInt(last);
            words.remove(words.size() - 1);
        }
        return new RowName(List.copyOf(words), size, recipients);
    }

    String word(int index) {
        return words.get(index);
    }
}
