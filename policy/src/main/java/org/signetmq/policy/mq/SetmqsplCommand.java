/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.mq;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.signetmq.policy.internal.text.Quoted;

/** Parses a {@code setmqspl} command. */
final class SetmqsplCommand {
    private static final Map<Character, String> KEYWORDS = Map.of(
            'm', MqPolicy.QUEUE_MANAGER,
            'p', "POLICY",
            's', "SIGNALG",
            'e', "ENCALG",
            'r', "RECIP",
            'a', "SIGNER",
            't', "TOLERATE",
            'c', "KEYREUSE");

    private SetmqsplCommand() {}

    /** Returns whether this line begins a command. */
    static boolean begins(String line) {
        int end = 0;
        while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
            end++;
        }
        String command = line.substring(0, end);
        return command.equals("setmqspl") || command.endsWith("/setmqspl");
    }

    static MqPolicy parse(String line) throws MqRefusal {
        List<String> words = ShellWords.of(line);
        MqPolicy policy = new MqPolicy();
        boolean removes = false;
        Iterator<String> left = words.subList(1, words.size()).iterator();
        while (left.hasNext()) {
            String option = left.next();
            if (option.equals("-remove")) {
                removes = true;
            } else {
                String keyword = keyword(option);
                policy.set(keyword, value(option, left));
            }
        }
        if (removes) {
            throw new MqRefusal("-remove removes a policy, and only policies are read; remove it here if need be");
        }
        return policy;
    }

    private static String keyword(String option) throws MqRefusal {
        String keyword = option.length() > 1 && option.charAt(0) == '-' ? KEYWORDS.get(option.charAt(1)) : null;
        if (keyword == null) {
            throw new MqRefusal(
                    "unknown option " + Quoted.text(option) + "; known are -m, -p, -s, -e, -r, -a, -t, -c and -remove");
        }
        return keyword;
    }

    /** Returns the value, which may stand in the same word. */
    private static String value(String option, Iterator<String> left) throws MqRefusal {
        if (option.length() > 2) {
            return option.substring(2);
        }
        if (!left.hasNext()) {
            throw new MqRefusal("option " + option + " without a value");
        }
        return left.next();
    }
}
