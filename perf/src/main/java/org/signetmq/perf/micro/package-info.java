/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code signet perf micro}: times single operations beside the primitives inside them. Imports result, statistics and
 * variant.
 */
@NullMarked
package org.signetmq.perf.micro;

import org.jspecify.annotations.NullMarked;
