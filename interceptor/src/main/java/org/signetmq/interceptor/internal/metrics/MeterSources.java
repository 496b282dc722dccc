/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.metrics;

import java.util.function.Supplier;
import org.signetmq.interceptor.internal.home.Readiness;
import org.signetmq.interceptor.internal.status.Counters;
import org.signetmq.interceptor.internal.status.PluginStatus;

/**
 * The sources of the meters' values.
 *
 * @param counters the counts of messages
 * @param status the status of the plugin now
 * @param readiness its policies and keys now
 */
public record MeterSources(Counters counters, Supplier<PluginStatus> status, Supplier<Readiness> readiness) {}
