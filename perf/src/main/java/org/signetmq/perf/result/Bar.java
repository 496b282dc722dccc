/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.result;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.signetmq.perf.result.Target.Verdict;

/** The bar that a figure is held against: the largest or the smallest good value. */
public record Bar(double value, Side side) {
    enum Side {
        AT_MOST,
        AT_LEAST
    }

    /** Returns a bar for figures that should be small. */
    public static Bar atMost(double value) {
        return new Bar(value, Side.AT_MOST);
    }

    /** Returns a bar for figures that should be large. */
    public static Bar atLeast(double value) {
        return new Bar(value, Side.AT_LEAST);
    }

    /**
     * Returns the target of this name, by the best of these figures. A noisy figure meets nothing: if it is the best,
     * the best calm one must meet the bar, or nothing is proven.
     */
    public Target target(String name, List<Figure> figures) {
        Comparator<Figure> smallestFirst = Comparator.comparingDouble(Figure::value);
        List<Figure> bestFirst = figures.stream()
                .filter(figure -> !Double.isNaN(figure.value()))
                .sorted(side == Side.AT_MOST ? smallestFirst : smallestFirst.reversed())
                .toList();
        if (bestFirst.isEmpty()) {
            return new Target(name, Double.NaN, this, Verdict.NOT_MEASURED);
        }
        Figure shown = bestFirst.stream()
                .filter(figure -> !figure.isNoisy() && isMetBy(figure))
                .findFirst()
                .orElse(bestFirst.get(0));
        Verdict verdict = shown.isNoisy() ? Verdict.NOISY : isMetBy(shown) ? Verdict.MET : Verdict.MISSED;
        return new Target(name, shown.value(), this, verdict);
    }

    private boolean isMetBy(Figure figure) {
        return side == Side.AT_MOST ? figure.value() <= value : figure.value() >= value;
    }

    @Override
    public String toString() {
        return (side == Side.AT_MOST ? "<= " : ">= ") + number(value);
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) && Math.abs(value) >= 100 ? "%.0f" : "%.3f", value);
    }
}
