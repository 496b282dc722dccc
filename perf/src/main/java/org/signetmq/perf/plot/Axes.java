/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.plot;

/** What a chart says of itself: its title and what its two axes show. */
public record Axes(String title, String x, String y) {}
