/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.targets;

import java.util.Comparator;
import java.util.List;

/**
 * What a figure is held against.
 *
 * @param value how high it is
 * @param side where figures should be
 */
public record Bar(double value, Side side) {
    /** Which side of a bar is good. */
    public enum Side {
        /** On it, or below. */
        AT_MOST,
        /** On it, or above. */
        AT_LEAST
    }

    /** For figures that should be small. */
    public static Bar atMost(double value) {
        return new Bar(value, Side.AT_MOST);
    }

    /** For figures that should be large. */
    public static Bar atLeast(double value) {
        return new Bar(value, Side.AT_LEAST);
    }

    boolean isMetBy(double figure) {
        return side == Side.AT_MOST ? figure <= value : figure >= value;
    }

    /**
     * The target of this name, by the best of these figures. A noisy one meets nothing: if it is the best, the best
     * calm one must meet the bar, or nothing is proven.
     */
    public Target target(String name, List<Figure> figures) {
        Comparator<Figure> smallestFirst = Comparator.comparingDouble(Figure::value);
        List<Figure> bestFirst = figures.stream()
                .filter(Figure::isMeasured)
                .sorted(side == Side.AT_MOST ? smallestFirst : smallestFirst.reversed())
                .toList();
        if (bestFirst.isEmpty()) {
            return new Target(name, Double.NaN, this, Verdict.NOT_MEASURED);
        }
        Figure best = bestFirst.get(0);
        if (!best.isNoisy()) {
            return new Target(name, best.value(), this, isMetBy(best.value()) ? Verdict.MET : Verdict.MISSED);
        }
        return bestFirst.stream()
                .filter(figure -> !figure.isNoisy() && isMetBy(figure.value()))
                .findFirst()
                .map(calm -> new Target(name, calm.value(), this, Verdict.MET))
                .orElseGet(() -> new Target(name, best.value(), this, Verdict.NOISY));
    }
}
