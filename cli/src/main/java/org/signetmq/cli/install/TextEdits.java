/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Replacements in one text, none of which overlap. */
final class TextEdits {
    private final List<Edit> edits = new ArrayList<>();

    private record Edit(int start, int end, String replacement) {}

    void insert(int at, String text) {
        replace(at, at, text);
    }

    void replace(int start, int end, String text) {
        edits.add(new Edit(start, end, text));
    }

    /**
     * Removes a stretch that stands on lines of its own, with the blanks before it and the line break before those: the
     * opposite of inserting a line break, blanks and the stretch.
     */
    void removeLines(String text, XmlElement.Place place) {
        int start = place.start();
        while (start > 0 && (text.charAt(start - 1) == ' ' || text.charAt(start - 1) == '\t')) {
            start--;
        }
        if (start > 0 && text.charAt(start - 1) == '\n') {
            start -= start > 1 && text.charAt(start - 2) == '\r' ? 2 : 1;
        } else {
            start = place.start();
        }
        replace(start, place.end(), "");
    }

    String applyTo(String text) {
        StringBuilder edited = new StringBuilder(text);
        edits.stream()
                .sorted(Comparator.comparingInt(Edit::start).reversed())
                .forEach(edit -> edited.replace(edit.start(), edit.end(), edit.replacement()));
        return edited.toString();
    }
}
