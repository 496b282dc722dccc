/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.report;

import java.util.List;
import org.signetmq.perf.result.MarkdownTable;
import org.signetmq.perf.result.Result;

/** Text in Markdown that grows. For one thread. */
final class Markdown {
    private final StringBuilder text = new StringBuilder();

    /** Adds a heading of this level, 1 to 6. */
    void heading(int level, String title) {
        text.append("#".repeat(level)).append(' ').append(title).append("\n\n");
    }

    /** Adds a paragraph. */
    void paragraph(String words) {
        text.append(words).append("\n\n");
    }

    /** Adds a list of these items; nothing if there are none. */
    void list(List<String> items) {
        items.forEach(item -> text.append("- ").append(item).append('\n'));
        text.append(items.isEmpty() ? "" : "\n");
    }

    /** Adds a command line. */
    void command(String line) {
        text.append("```sh\n").append(line).append("\n```\n\n");
    }

    /** Adds a table of all fields; nothing if there are no rows. */
    void table(List<Result> rows) {
        table("", rows, ".*");
    }

    /**
     * Adds a table with its title, if it has one; nothing if there are no rows.
     *
     * @param shown matches the fields that are columns
     */
    void table(String title, List<Result> rows, String shown) {
        if (!rows.isEmpty()) {
            if (!title.isEmpty()) {
                heading(4, title);
            }
            text.append(MarkdownTable.of(rows, field -> field.matches(shown))).append('\n');
        }
    }

    /**
     * Adds a table of figures; nothing if no row has such a figure.
     *
     * @param names matches the fields that tell rows apart
     * @param figures matches the other fields that are columns
     */
    void figures(List<Result> rows, String names, String figures) {
        if (MarkdownTable.hasColumns(rows, field -> field.matches(figures))) {
            table("", rows, names + "|" + figures);
        }
    }

    /** Adds text that a reader opens. */
    void folded(String title, Markdown inside) {
        text.append("<details>\n<summary>").append(title).append("</summary>\n\n");
        text.append(inside.text).append("</details>\n\n");
    }

    /** Adds text as it is. */
    void raw(String markdown) {
        text.append(markdown.strip()).append("\n\n");
    }

    /** Returns the text, with one end of line behind it. */
    @Override
    public String toString() {
        return text.toString().strip() + "\n";
    }
}
