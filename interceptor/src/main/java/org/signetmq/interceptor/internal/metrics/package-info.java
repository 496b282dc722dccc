/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The meters of the plugin in the broker's registry. Only MicrometerMeters needs Micrometer, which a broker may lack.
 * It imports the status, the home and the log.
 */
@NullMarked
package org.signetmq.interceptor.internal.metrics;

import org.jspecify.annotations.NullMarked;
