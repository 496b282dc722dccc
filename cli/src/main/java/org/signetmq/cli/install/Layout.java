/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.install;

/** How lines of a file are broken and indented, so that new ones look the same. */
final class Layout {
    private final String text;
    private final String lineBreak;
    private final String coreIndent;
    private final String step;

    Layout(String text, XmlElement core) {
        this.text = text;
        this.lineBreak = text.contains("\r\n") ? "\r\n" : "\n";
        this.coreIndent = indent(core);
        String childIndent =
                core.children().isEmpty() ? "" : indent(core.children().get(0));
        this.step = childIndent.length() > coreIndent.length() && childIndent.startsWith(coreIndent)
                ? childIndent.substring(coreIndent.length())
                : "   ";
    }

    /** A line break and a line, indented by so many steps from the core element. */
    String line(int depth, String line) {
        return lineBreak + coreIndent + step.repeat(depth) + line;
    }

    /** Behind the last that is no blank in the element. */
    int endOfContent(XmlElement element) {
        return element.place().contentStart()
                + element.content(text).stripTrailing().length();
    }

    private String indent(XmlElement element) {
        int start = element.place().start();
        int line = start;
        while (line > 0 && (text.charAt(line - 1) == ' ' || text.charAt(line - 1) == '\t')) {
            line--;
        }
        return text.substring(line, start);
    }
}
