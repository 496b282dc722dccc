/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.doctor;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.signetmq.cli.command.doctor.Report.Verdict.Level;
import org.signetmq.cli.console.CliException;
import org.signetmq.cli.console.Failures;
import org.signetmq.keystore.KeystoreUnusableException;

/** The findings of the doctor, in the order of the checks. */
final class Report {
    /** The greatest number of lines for an area. */
    static final int MOST = 100;

    private final List<Verdict> verdicts = new ArrayList<>();

    /** The lines of one area. */
    final class Area {
        private final String name;
        private int lines;
        private int omitted;
        private Level worst = Level.OK;

        private Area(String name) {
            this.name = name;
        }

        void wrong(String what, String remedy) {
            add(Level.WRONG, what, remedy);
        }

        void warn(String what, String remedy) {
            add(Level.WARNING, what, remedy);
        }

        private void add(Level level, String what, String remedy) {
            worst = worst.compareTo(level) < 0 ? level : worst;
            if (lines < MOST) {
                lines++;
                verdicts.add(new Verdict(name, level, what, remedy));
            } else {
                omitted++;
            }
        }

        /** Ends the area: nothing was found, or too much. */
        private void end(String summary) {
            if (worst == Level.OK) {
                verdicts.add(new Verdict(name, Level.OK, summary, null));
            } else if (omitted > 0) {
                verdicts.add(new Verdict(
                        name, worst, omitted + " more are not listed", "correct the listed ones, and run this again"));
            }
        }
    }

    /** A check of one area. */
    interface Check {
        /** Adds the findings. Returns a description of the area, for the case that there are none. */
        String look(Area found) throws IOException;
    }

    /** Runs a check. If it fails, that is a line, too. */
    void check(String area, Check check) {
        Area found = new Area(area);
        try {
            found.end(check.look(found));
        } catch (CliException e) {
            found.wrong(e.lines().get(0), remedy(e));
            found.end("");
        } catch (KeystoreUnusableException | IOException e) {
            found.wrong(Failures.inWords(e), "correct this file, or remove it");
            found.end("");
        } catch (RuntimeException | StackOverflowError e) {
            found.warn(
                    "could not be checked: " + e.getClass().getName() + ": " + Failures.inWords(e),
                    "run this again with --debug, and report what it shows");
            found.end("");
        }
    }

    /** Returns the lines of a failure behind its first one, as its remedy. */
    static String remedy(CliException e) {
        List<String> more = e.lines().subList(1, e.lines().size());
        return more.isEmpty() ? "correct this, and run this again" : String.join("; ", more);
    }

    List<Verdict> verdicts() {
        return List.copyOf(verdicts);
    }

    /** Returns a line for each verdict. */
    List<String> lines() {
        return verdicts.stream().map(Verdict::line).toList();
    }

    /** Returns a line for each finding, and one with the number of checks without any. */
    List<String> findings() {
        List<String> lines = new ArrayList<>();
        verdicts.stream()
                .filter(verdict -> verdict.level() != Level.OK)
                .map(Verdict::line)
                .forEach(lines::add);
        int rest = verdicts.size() - lines.size();
        if (rest > 0) {
            String more = lines.isEmpty() ? " " : " more ";
            lines.add("ok    " + rest + more + (rest == 1 ? "check" : "checks")
                    + " found nothing wrong; --verbose shows all");
        }
        return lines;
    }

    /** Tells whether anything is wrong. A warning does not count. */
    boolean isWrong() {
        return verdicts.stream().anyMatch(verdict -> verdict.level() == Level.WRONG);
    }

    /**
     * A line of the doctor's report. Its texts come from files and brokers, and fit a terminal.
     *
     * @param area what was checked
     * @param what is wrong, or was found
     * @param remedy what to do; null if the level is ok
     */
    record Verdict(
            String area, Level level, String what, @Nullable String remedy) {
        private static final int LONGEST = 2000;

        Verdict {
            area = fit(area);
            what = fit(what);
            remedy = remedy == null ? null : fit(remedy);
        }

        /** How bad it is. */
        enum Level {
            @JsonProperty("ok")
            OK("ok"),
            @JsonProperty("warning")
            WARNING("warn"),
            @JsonProperty("wrong")
            WRONG("WRONG");

            private final String label;

            Level(String label) {
                this.label = label;
            }
        }

        private static String fit(String text) {
            return Failures.oneLine(text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text);
        }

        /** Returns the line. */
        String line() {
            return "%-5s %s: %s".formatted(level.label, area, what) + (remedy == null ? "" : "; " + remedy);
        }
    }
}
