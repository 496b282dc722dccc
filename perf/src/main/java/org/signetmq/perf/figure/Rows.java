/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.util.List;
import java.util.Optional;
import org.signetmq.perf.result.Bar;
import org.signetmq.perf.result.Figure;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.result.Target;
import org.signetmq.perf.rr.RowFigure;

/** Finds rows of round trips, and compares them. */
record Rows(List<Result> all) {
    static final String SHARE = "share_of_none";
    static final String ADDED_CPU = "added_cpu_ms";
    static final String CLIENT_CPU = "cpu_ms_per_round_trip.client";
    static final String PUBLISHED = "published_share";
    static final String SETTING = "setting";
    static final String CLIENTS = "clients";
    static final String PART = "part";
    static final String CONFIDENTIALITY = "confidentiality.32.p256";
    static final String AMS_CONFIDENTIALITY = "ams.confidentiality.32";

    /** Returns the rows of a part. */
    Rows part(String part) {
        return new Rows(all.stream().filter(row -> row.is(PART, part)).toList());
    }

    /** Returns the rows with a field of this value. */
    Rows with(String field, Object value) {
        return new Rows(all.stream().filter(row -> row.is(field, value)).toList());
    }

    Optional<Result> first(String setting) {
        return all.stream().filter(row -> row.is(SETTING, setting)).findFirst();
    }

    /** Returns a figure of a setting; NaN if it was not measured, noisy as {@link RowFigure} says. */
    Figure figure(String setting, String field) {
        return first(setting).map(row -> RowFigure.of(row, row.number(field))).orElse(Figure.exact(Double.NaN));
    }

    /** Returns the largest number of clients. */
    int mostClients() {
        return (int) all.stream().mapToDouble(row -> row.number(CLIENTS)).max().orElse(0);
    }

    /** Returns a target for a field of a setting. */
    Target target(String name, String setting, String field, Bar bar) {
        return bar.target(name + ": " + setting + " " + field, List.of(figure(setting, field)));
    }

    /** Returns a target for the share of one setting over that of another. */
    Target ratio(String name, String setting, String other, Bar bar) {
        return bar.target(
                name + ": " + setting + " / " + other,
                List.of(figure(setting, SHARE).over(figure(other, SHARE))));
    }
}
