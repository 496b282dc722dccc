/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Shares data keys between messages within their limits, makes them ahead of need and caches opened ones. Imports
 * {@code crypto} and the root package.
 */
@NullMarked
package org.signetmq.keystore.epoch;

import org.jspecify.annotations.NullMarked;
