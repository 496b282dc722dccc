/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.file;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.signetmq.keystore.PrintableText;

/** Formats paths for messages and for shell commands. */
public final class ShellText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._+:,@%=][A-Za-z0-9/._+:,@%=-]*");

    private ShellText() {}

    /** Returns the path on one line, with question marks for characters that do not print. */
    public static String shown(Path path) {
        return PrintableText.of(path.toString());
    }

    /** Returns the path as one word of a command. */
    public static String quoted(Path path) {
        String shown = shown(path);
        return PLAIN.matcher(shown).matches() ? shown : "'" + shown.replace("'", "'\\''") + "'";
    }
}
