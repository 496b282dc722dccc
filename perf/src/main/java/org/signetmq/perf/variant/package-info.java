/* SPDX-License-Identifier: Apache-2.0 */
/** The ways to protect messages that are measured, and their payload. Imports no other room of perf. */
@NullMarked
package org.signetmq.perf.variant;

import org.jspecify.annotations.NullMarked;
