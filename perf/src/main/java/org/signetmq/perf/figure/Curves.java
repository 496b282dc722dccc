/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.figure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.signetmq.perf.published.PublishedCurve;
import org.signetmq.perf.published.PublishedFigure;
import org.signetmq.perf.result.Chart;
import org.signetmq.perf.result.Chart.Axes;
import org.signetmq.perf.result.Chart.Scale;
import org.signetmq.perf.result.ChartFolder;
import org.signetmq.perf.result.Result;

/** The points of a chart: our shares of none, and the published ones. */
final class Curves {
    private final List<Point> points = new ArrayList<>();

    /** A point of one curve. */
    private record Point(String curve, double x, double y) {}

    /** Adds our curves of these rows; each setting has one. None is left out: all are relative to it. */
    Curves add(List<Result> rows, String field) {
        for (Result row : rows) {
            if (row.has(field) && !row.is("protection", "none")) {
                points.add(new Point(row.text(Rows.SETTING), row.number(Rows.CLIENTS), row.number(field)));
            }
        }
        return this;
    }

    /** Adds the published curves, each relative to none. */
    Curves addPublished(PublishedFigure figure) {
        return addPublished(figure, figure.curve("none"));
    }

    /** Adds the published curves, each relative to this one, which has the same x. */
    Curves addPublished(PublishedFigure figure, PublishedCurve none) {
        for (PublishedCurve curve : figure.curves()) {
            if (!curve.equals(none)) {
                curve.x().forEach(x -> points.add(new Point("published " + curve.name(), x, curve.at(x) / none.at(x))));
            }
        }
        return this;
    }

    /** Draws all as lines. */
    void draw(ChartFolder folder, String file, String title) throws IOException {
        folder.lines(
                file,
                new Chart<>(
                        new Axes(title, "clients", "share of none", Scale.LINEAR), Point::curve, Point::x, Point::y),
                points);
    }
}
