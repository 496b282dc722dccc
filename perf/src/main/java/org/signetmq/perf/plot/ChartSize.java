/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.plot;

/** In pixels; fits a page of documentation. */
final class ChartSize {
    static final int WIDTH = 1000;
    static final int HEIGHT = 560;

    private ChartSize() {}
}
