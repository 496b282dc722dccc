/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.cli.command.policy.access;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.signetmq.cli.console.CliException;

/** The places that a command works on: a home, or one broker or more. */
public final class Targets {
    private final List<Place> places;

    Targets(List<Place> places) {
        this.places = List.copyOf(places);
    }

    /** Work with one place. */
    public interface Work<T> {
        T with(PolicyTarget target) throws IOException;
    }

    /** A place that is not open yet. */
    interface Place {
        String name();

        /** Opens the place, does the work, and closes it. */
        <T> T run(Work<T> work) throws IOException;
    }

    /** Shows what was done in a place. */
    public interface Shown<T> {
        /**
         * Shows a result.
         *
         * @param prefix the place and a colon if there are several; else an empty text
         */
        void show(String prefix, T result);
    }

    /** Returns the number of places. */
    public int number() {
        return places.size();
    }

    /** Whether there are several places. */
    public boolean areSeveral() {
        return places.size() > 1;
    }

    /**
     * Does work in the only place.
     *
     * @throws CliException if there are several
     */
    public <T> T only(Work<T> work) throws IOException {
        if (areSeveral()) {
            throw CliException.usage("--broker: this command asks one broker, and " + places.size() + " are named");
        }
        return places.get(0).run(work);
    }

    /** Does work in each place in order, and returns the results. The first failure ends it. */
    public <T> List<T> all(Work<T> work) throws IOException {
        List<T> results = new ArrayList<>();
        for (Place place : places) {
            results.add(place.run(work));
        }
        return results;
    }

    /**
     * Does the same work in each place, and shows what was done. A failure in one of several does not keep the others
     * from it.
     *
     * @param what the work for messages
     * @throws CliException if it failed in a place
     */
    public <T> void each(String what, Work<T> work, Shown<T> shown) throws IOException {
        if (!areSeveral()) {
            shown.show("", places.get(0).run(work));
            return;
        }
        List<String> failures = new ArrayList<>();
        int failed = 0;
        for (Place place : places) {
            try {
                shown.show(place.name() + ": ", place.run(work));
            } catch (CliException e) {
                failed++;
                failures.addAll(lines(place.name() + ": ", e));
            }
        }
        if (failed > 0) {
            throw CliException.failure(what + ": failed at " + failed + " of " + places.size() + " brokers")
                    .details(failures);
        }
    }

    private static List<String> lines(String prefix, CliException e) {
        return e.lines().stream()
                .map(line -> line.startsWith(prefix) ? line : prefix + line)
                .toList();
    }
}
