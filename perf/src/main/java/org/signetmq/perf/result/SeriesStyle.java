/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import java.util.Map;

/**
 * The look of a series in a chart, by its name. A protection has the same colour in all charts. Published series are
 * dashed and gray beside ours; those in the manner of AMS are thin.
 *
 * @param color of lines, points and bars
 */
record SeriesStyle(Color color, BasicStroke stroke) {
    private static final float OURS = 2.5f;
    private static final float THIN = 1.2f;
    private static final float[] DASHES = {9, 6};

    /** The first that a name contains counts. All are apart for colour-blind readers too. */
    private static final List<Map.Entry<String, Color>> COLORS = List.of(
            Map.entry(".rsa2048", new Color(0x56B4E9)),
            Map.entry("confidentiality", new Color(0x0072B2)),
            Map.entry("integrity", new Color(0x009E73)),
            Map.entry("privacy", new Color(0xD55E00)),
            Map.entry("plain", new Color(0x000000)),
            Map.entry("buffer.20KB", new Color(0x0072B2)),
            Map.entry("buffer.2KB", new Color(0xE69F00)));

    private static final List<Color> OTHERS = List.of(
            new Color(0x0072B2),
            new Color(0xE69F00),
            new Color(0x009E73),
            new Color(0xCC79A7),
            new Color(0x56B4E9),
            new Color(0xD55E00),
            new Color(0x8C8C00),
            new Color(0x000000));
    private static final List<Color> GRAYS = List.of(new Color(0x8A8A8A), new Color(0xBDBDBD), new Color(0x5A5A5A));

    /**
     * Returns the style of a line.
     *
     * @param number of the series in the chart, from 0
     */
    static SeriesStyle ofLine(String name, int number) {
        Color color = COLORS.stream()
                .filter(entry -> name.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(OTHERS.get(number % OTHERS.size()));
        if (isPublished(name)) {
            return new SeriesStyle(
                    color, new BasicStroke(THIN, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DASHES, 0));
        }
        return new SeriesStyle(color, new BasicStroke(name.startsWith("ams.") ? THIN : OURS));
    }

    /** Returns the style of bars; they have no lines. */
    static SeriesStyle ofBars(String name, int number) {
        List<Color> colors = isPublished(name) ? GRAYS : OTHERS;
        return new SeriesStyle(colors.get(number % colors.size()), new BasicStroke(THIN));
    }

    /** Tells whether a series is published: its name says so, or ends with a year. */
    static boolean isPublished(String name) {
        return name.startsWith("published") || name.matches(".* 20\\d\\d");
    }
}
