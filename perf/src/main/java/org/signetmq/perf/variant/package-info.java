/* SPDX-License-Identifier: Apache-2.0 */
/** Ways to protect messages that are measured, and their payload. Imports no other package of perf. */
@NullMarked
package org.signetmq.perf.variant;

import org.jspecify.annotations.NullMarked;

