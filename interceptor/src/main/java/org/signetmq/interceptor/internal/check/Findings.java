/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.check;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.signetmq.interceptor.internal.log.PluginLog;
import org.signetmq.keystore.PrintableText;

/**
 * Collects what is wrong with a broker, and writes it as JSON of a bounded length, because an answer of the management
 * is one message. Not thread-safe.
 */
final class Findings {
    /** The greatest number of findings of an area, so that one does not hide the others. */
    static final int MOST = 20;

    /** The greatest length of the texts of all findings in an answer, in characters. */
    static final int LONGEST = 30_000;

    /** The greatest length of a text, in characters. */
    static final int LONGEST_TEXT = 600;

    /** The greatest length of a name, in characters. */
    static final int LONGEST_NAME = 120;

    private static final int MOST_NAMES = 5;
    private static final String CORRECT_FIRST = "correct the listed ones first, and check again";

    private final List<Area> areas = new ArrayList<>();
    private final List<Finding> all = new ArrayList<>();
    private int number; // of the findings of the last area
    private @Nullable Level omitted; // the worst level of those that are left out

    /** The subject of a check. The order is that of the answer. */
    enum Area {
        PLUGIN,
        PLUGIN_ORDER,
        POLICIES,
        HOME,
        CERTIFICATES,
        KEYS,
        LARGE_MESSAGES,
        ACCEPTORS,
        BRIDGES,
        BACKUP,
        DEAD_LETTERS,
        SECURITY,
        MANAGEMENT,
        AUDIT_LOG;

        private String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** The weight of a finding. */
    enum Level {
        /** Messages are rejected, lost or unprotected, or a right is too wide. */
        WRONG,
        /** The broker works, and an administrator should know this. */
        WARNING
    }

    /**
     * Something that is wrong with a broker.
     *
     * @param what the problem
     * @param remedy the remedy for the administrator
     */
    record Finding(Area area, Level level, String what, String remedy) {
        private void writeTo(ArrayNode list) {
            list.addObject()
                    .put("area", area.label())
                    .put("level", level.name().toLowerCase(Locale.ROOT))
                    .put("what", what)
                    .put("remedy", remedy);
        }
    }

    /** A check of one area. */
    @FunctionalInterface
    interface Check {
        /**
         * Adds what is wrong.
         *
         * @throws Exception if the broker does not tell it
         */
        void look(Findings found) throws Exception;
    }

    /** Runs a check, and adds its findings. A check that fails is a finding, too. */
    Findings check(Area area, Check check) {
        areas.add(area);
        number = 0;
        omitted = null;
        try {
            check.look(this);
        } catch (Throwable e) { // any failure: the other checks must run
            PluginLog.LOG.warn("Signet could not check the broker: {}", area.label(), e);
            warn("could not be checked: " + e.getClass().getName(), "read the log of the broker; it has the cause");
        }
        if (omitted != null) {
            all.add(new Finding(area, omitted, (number - MOST) + " more are not listed", CORRECT_FIRST));
        }
        return this;
    }

    /** Adds a finding that makes the check fail. */
    void wrong(String what, String remedy) {
        add(Level.WRONG, what, remedy);
    }

    /** Adds a finding that does not make the check fail. */
    void warn(String what, String remedy) {
        add(Level.WARNING, what, remedy);
    }

    void add(Level level, String what, String remedy) {
        if (number++ < MOST) {
            all.add(new Finding(areas.get(areas.size() - 1), level, text(what), text(remedy)));
        } else if (omitted != Level.WRONG) {
            omitted = level;
        }
    }

    /** Returns the findings of all checks. */
    List<Finding> list() {
        return List.copyOf(all);
    }

    /** Adds the areas that were checked, and their findings. Those that are wrong come first if not all have room. */
    void writeTo(ObjectNode answer) {
        ArrayNode checked = answer.putArray("areas");
        areas.forEach(area -> checked.add(area.label()));
        ArrayNode list = answer.putArray("findings");
        int length = 0;
        // the sort is stable: areas keep their order
        for (Finding finding :
                all.stream().sorted(Comparator.comparing(Finding::level)).toList()) {
            length += finding.what().length() + finding.remedy().length();
            if (length > LONGEST) {
                new Finding(finding.area(), finding.level(), "this and more findings are not listed", CORRECT_FIRST)
                        .writeTo(list);
                break;
            }
            finding.writeTo(list);
        }
    }

    /** Returns a text on one line, without control characters. */
    static String text(String text) {
        return PrintableText.of(text, LONGEST_TEXT);
    }

    /** Returns a name that a stranger may have chosen, in quotes. */
    static String name(Object name) {
        return "'" + PrintableText.of(name.toString(), LONGEST_NAME) + "'";
    }

    /** Returns the first five of these names, and the number of the others. */
    static String names(Collection<String> names) {
        return names.stream().limit(MOST_NAMES).map(Findings::name).collect(Collectors.joining(", "))
                + (names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "");
    }
}
